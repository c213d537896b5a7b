// SPDX-License-Identifier: Apache-2.0
// naga, the compiler of wgpu: node naga.mjs FOLDER-OF-naga-wasm FILE…
//   FILE.wgsl  compiles it to SPIR-V and writes FILE.wgsl.spv, or says why not
//   FILE.spv   reads and validates the module, and says "FILE: ok" or why not
import * as fs from 'node:fs'
import * as path from 'node:path'
import { pathToFileURL } from 'node:url'

const naga = await import(pathToFileURL(path.resolve(process.argv[2], 'dist', 'node.js')).href)

for (const file of process.argv.slice(3)) {
  try {
    if (file.endsWith('.spv')) {
      naga.validate(naga.parseSpirv(fs.readFileSync(file)))
      console.log(file + ': ok')
    } else {
      const module = naga.parseWgsl(fs.readFileSync(file, 'utf8'))
      const words = naga.writeSpirv(module, naga.validate(module), { flags: { debug: true } })
      fs.writeFileSync(file + '.spv', Buffer.from(words.buffer, words.byteOffset, words.byteLength))
    }
  } catch (error) {
    console.log(file + ': ' + (error.formatted ?? error.message).replace(/\s+/g, ' '))
  }
}
