// SPDX-License-Identifier: Apache-2.0
// Compiles WGSL to SPIR-V: node naga.mjs FOLDER-OF-naga-wasm FILE.wgsl…; writes FILE.wgsl.spv, or says why not.
import * as fs from 'node:fs'
import * as path from 'node:path'
import { pathToFileURL } from 'node:url'

const naga = await import(pathToFileURL(path.resolve(process.argv[2], 'dist', 'node.js')).href)

for (const file of process.argv.slice(3)) {
  try {
    const module = naga.parseWgsl(fs.readFileSync(file, 'utf8'))
    const words = naga.writeSpirv(module, naga.validate(module), { flags: { debug: true } })
    fs.writeFileSync(file + '.spv', Buffer.from(words.buffer, words.byteOffset, words.byteLength))
  } catch (error) {
    console.log(file + ': ' + (error.formatted ?? error.message))
  }
}
