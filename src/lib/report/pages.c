/* SPDX-License-Identifier: Apache-2.0 */
/* pages: the parts of the HTML reports, and their assembly. */
#include "lib/report/report.h"

/* One string for each line, since the length of a literal is limited. */
/* clang-format off */
    /* begin, by scripts/gen_layout_page.py */
static const char *const layout_page_html[] = {
    "<!doctype html>\n",
    "<html lang=\"en\">\n",
    "<head>\n",
    "<meta charset=\"utf-8\">\n",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-s"
    "rc 'unsafe-inline'\">\n",
    "<title>Layout: spirv-bind</title>\n",
    "<style>\n",
    "@report.css@\n",
    "</style>\n",
    "</head>\n",
    "<body>\n",
    "<header><h1>Layout</h1><p id=\"summary\" class=\"soft\"></p></header>\n",
    "<noscript><p>This page draws the layout with a script. The layout itself is in its source, as JSON.</p></noscr"
    "ipt>\n",
    "<form id=\"filters\" aria-label=\"Filters\"></form>\n",
    "<main id=\"main\"></main>\n",
    "<script type=\"application/json\" id=\"layout\">@LAYOUT@</script>\n",
    "<script type=\"application/json\" id=\"before\">@BEFORE@</script>\n",
    "<script>\n",
    "'use strict'\n",
    "@report.js@\n",
    "function kindOf(binding) {\n",
    "\treturn binding.type ? binding.type.kind : binding.views && binding.views[0] ? binding.views[0].type.kind : '"
    "'\n",
    "}\n",
    "\n",
    "const accessesAt = new Map()\n",
    "for (const access of layout.accesses || []) {\n",
    "\tconst key = access.set + '.' + access.binding\n",
    "\taccessesAt.has(key) ? accessesAt.get(key).push(access) : accessesAt.set(key, [access])\n",
    "}\n",
    "\n",
    "function stagesOfModule(file) {\n",
    "\tconst module = (layout.modules || []).find(m => m.file === file)\n",
    "\treturn new Set(module ? module.entryPoints.map(e => e.stage) : [])\n",
    "}\n",
    "\n",
    "function place(access) {\n",
    "\treturn access.file ? access.file.split('/').pop() + (access.line ? ':' + access.line : '') : ''\n",
    "}\n",
    "\n",
    "function steps(title, list) {\n",
    "\treturn list && list.length ? [make('div', { class: 'soft' }, title), make('ol', {}, list.map(s => make('li',"
    " {}, s.text)))] : []\n",
    "}\n",
    "\n",
    "function indexText(access) {\n",
    "\tif (access.index !== null)\n",
    "\t\treturn access.indexId === undefined ? 'the descriptor' : 'element ' + access.index\n",
    "\tif (access.uniform && access.uniform.includes('group'))\n",
    "\t\treturn 'an index that is the same for the group'\n",
    "\treturn access.certain ? 'an index that differs' : 'an index that may differ'\n",
    "}\n",
    "\n",
    "function accessItem(access) {\n",
    "\tconst open = [...steps(access.uniform && access.uniform.length ? 'The index comes from' : 'It may differ bec"
    "ause', access.why),\n",
    "\t\t...steps('It differs in the subgroup because', access.whySubgroup)]\n",
    "\tconst line = [make('code', {}, access.op), ' ', indexText(access), ' ',\n",
    "\t\taccess.nonUniform ? mark('NonUniform', 'decorated NonUniform', true) : '',\n",
    "\t\taccess.markedByAuthor ? mark('author', 'marked in the input') : '',\n",
    "\t\tmake('span', { class: 'soft' }, [access.function, place(access)].filter(Boolean).join(', '), ' in ', acces"
    "s.module)]\n",
    "\treturn make('li', {}, open.length ? make('details', {}, make('summary', {}, line), open) : line)\n",
    "}\n",
    "\n",
    "function cell(row, stage) {\n",
    "\tconst { set, binding } = row\n",
    "\tif (!binding.stages.includes(stage))\n",
    "\t\treturn make('td', {})\n",
    "\tconst views = binding.views.filter(view => view.stages.includes(stage))\n",
    "\tconst written = views.some(view => view.access !== 'read'), read = views.some(view => view.access !== 'write"
    "')\n",
    "\tconst varies = (accessesAt.get(set + '.' + binding.binding) || []).some(a => a.nonUniform && stagesOfModule("
    "a.module).has(stage))\n",
    "\trow.written ||= written\n",
    "\treturn make('td', {}, !binding.used ? mark('unused', 'declared, and used by no entry point') : mark(\n",
    "\t\tread && written ? 'read, written' : written ? 'written' : 'read', 'what the declaration permits'),\n",
    "\tvaries ? mark('NonUniform', 'some index differs between invocations', true) : '')\n",
    "}\n",
    "\n",
    "function bindingRow(row, stages) {\n",
    "\tconst { set, binding } = row, key = set + '.' + binding.binding, kind = kindOf(binding)\n",
    "\tconst accesses = accessesAt.get(key) || []\n",
    "\trow.varies = accesses.some(a => a.nonUniform)\n",
    "\tconst more = [make('p', { class: 'soft' }, binding.why || ''),\n",
    "\t\tmake('ul', {}, binding.views.map(view => make('li', {}, make('code', {}, '%' + view.id), ' ', view.name, '"
    " in ', view.module, ': ',\n",
    "\t\t\t[view.type.resourceKind, view.type.element, view.type.block, view.type.format].filter(Boolean).join(', '"
    ")))),\n",
    "\t\taccesses.length ? make('ul', {}, accesses.map(accessItem)) : '']\n",
    "\tconst element = make('tr', { class: binding.used ? null : 'unused' },\n",
    "\t\tmake('th', { scope: 'row', class: 'mono' }, key),\n",
    "\t\tmake('td', {}, make('details', {}, make('summary', {}, binding.name || '(no name)'), more)),\n",
    "\t\tmake('td', {}, chip(kind, descriptorName(binding.descriptorType))),\n",
    "\t\tmake('td', { class: 'mono' }, countOf(binding)), stages.map(stage => cell(row, stage)))\n",
    "\trow.element = element\n",
    "\trow.text = [key, binding.name, descriptorName(binding.descriptorType), ...binding.views.map(v => v.name + ' "
    "' + v.module),\n",
    "\t\t...accesses.map(place)].join(' ').toLowerCase()\n",
    "\trow.kind = kind\n",
    "\treturn element\n",
    "}\n",
    "\n",
    "function filters(rows, stages, shown) {\n",
    "\tconst kinds = [...new Set(rows.map(row => row.kind))].sort()\n",
    "\tconst search = make('input', { type: 'search', id: 'search', placeholder: 'name, place, module' })\n",
    "\tconst kind = make('select', { id: 'kind' }, option('', 'any type'), kinds.map(k => option(k, k)))\n",
    "\tconst stage = make('select', { id: 'stage' }, option('', 'any stage'), stages.map(s => option(s, spoken(bare"
    "Stage(s)))))\n",
    "\tconst only = { varies: 'NonUniform', written: 'written', unused: 'unused' }\n",
    "\tconst boxes = Object.fromEntries(Object.keys(only).map(name => [name, make('input', { type: 'checkbox', id: "
    "name })]))\n",
    "\tconst status = make('span', { class: 'soft', role: 'status' })\n",
    "\tconst apply = () => {\n",
    "\t\tlet count = 0\n",
    "\t\tfor (const row of rows) {\n",
    "\t\t\tconst fits = row.text.includes(search.value.toLowerCase()) && (!kind.value || row.kind === kind.value) &"
    "&\n",
    "\t\t\t\t(!stage.value || row.binding.stages.includes(stage.value)) && (!boxes.varies.checked || row.varies) &&\n",
    "\t\t\t\t(!boxes.written.checked || row.written) && (!boxes.unused.checked || !row.binding.used)\n",
    "\t\t\trow.element.hidden = !fits\n",
    "\t\t\tcount += fits\n",
    "\t\t}\n",
    "\t\tstatus.textContent = count + ' of ' + rows.length\n",
    "\t}\n",
    "\tconst form = document.getElementById('filters')\n",
    "\tform.append(make('label', {}, 'Find ', search), make('label', {}, 'Type ', kind), make('label', {}, 'Stage '"
    ", stage),\n",
    "\t\t...Object.keys(only).map(name => make('label', {}, boxes[name], ' ', only[name])), status)\n",
    "\tform.addEventListener('input', apply)\n",
    "\tform.addEventListener('submit', event => event.preventDefault())\n",
    "\tapply()\n",
    "}\n",
    "\n",
    "function places(of) {\n",
    "\tconst found = new Map()\n",
    "\tfor (const { set, binding } of allBindings(of)) {\n",
    "\t\tfor (const view of binding.views.length ? binding.views : [{ name: binding.name }])\n",
    "\t\t\tfound.set(view.name || binding.name, { key: set + '.' + binding.binding, type: binding.descriptorType, c"
    "ount: binding.count })\n",
    "\t}\n",
    "\treturn found\n",
    "}\n",
    "\n",
    "function heapRow(heap) {\n",
    "\tconst builtin = heap.model === 'descriptor-heap'\n",
    "\tconst found = allBindings(layout).find(b => b.set === heap.set && b.binding.binding === heap.binding)\n",
    "\tconst views = found ? found.binding.views.filter(view => view.type.kind === heap.kind).map(view => view.name"
    ") : []\n",
    "\treturn make('tr', {}, make('th', { scope: 'row' }, chip(heap.kind, heap.kind)),\n",
    "\t\tmake('td', { class: 'mono' }, builtin ? heap.heap + ' heap' : heap.set + '.' + heap.binding),\n",
    "\t\tmake('td', {}, descriptorName(heap.descriptorType)),\n",
    "\t\tmake('td', { class: 'mono' }, builtin ? 'stride ' + heap.stride : countOf(heap)),\n",
    "\t\tmake('td', {}, [...new Set(views)].join(', ')))\n",
    "}\n",
    "\n",
    "function program() {\n",
    "\tconst rows = allBindings(layout)\n",
    "\tconst order = stage => STAGES.indexOf(bareStage(stage))\n",
    "\tconst stages = [...new Set(rows.flatMap(row => row.binding.stages))].sort((a, b) => order(a) - order(b))\n",
    "\tconst varying = (layout.accesses || []).filter(a => a.nonUniform).length\n",
    "\tdocument.getElementById('summary').textContent = [layout.modules.map(m => m.file).join(', '), rows.length + "
    "' bindings',\n",
    "\t\tlayout.heaps.length ? layout.heaps.length + ' heaps' : '', varying + ' accesses NonUniform'].filter(Boolea"
    "n).join(' · ')\n",
    "\tdocument.title = layout.modules.map(m => m.file).join(', ') + ': spirv-bind'\n",
    "\tsection('Bindings', table('A row for each set and binding, and a column for each stage', ['Set.binding', 'Na"
    "me', 'Type', 'Count',\n",
    "\t\t...stages.map(s => spoken(bareStage(s)))], rows.map(row => bindingRow(row, stages))))\n",
    "\tfilters(rows, stages)\n",
    "\tif (layout.heaps.length)\n",
    "\t\tsection('Heaps', table('Arrays of descriptors that handles index', ['Kind', 'Place', 'Type', 'Count or str"
    "ide', 'Views'],\n",
    "\t\t\tlayout.heaps.map(heapRow)))\n",
    "\tif ((layout.pushConstants || []).length)\n",
    "\t\tsection('Push constants', table('Ranges, in bytes', ['Offset', 'Size', 'Stages'], layout.pushConstants.map"
    "(range =>\n",
    "\t\t\tmake('tr', {}, make('th', { scope: 'row', class: 'mono' }, String(range.offset)), make('td', { class: 'm"
    "ono' },\n",
    "\t\t\t\tString(range.size)), make('td', {}, range.stages.map(s => spoken(bareStage(s))).join(', '))))))\n",
    "\tsection('Modules', table('What each module needs', ['File', 'Entry points', 'Features', 'Verdict'], layout.m"
    "odules.map(module =>\n",
    "\t\tmake('tr', {}, make('th', { scope: 'row' }, module.file),\n",
    "\t\t\tmake('td', {}, module.entryPoints.map(e => e.name + ' (' + spoken(bareStage(e.stage)) + ')').join(', '))"
    ",\n",
    "\t\t\tmake('td', {}, (module.requires ? module.requires.vulkanFeatures : []).join(', ')),\n",
    "\t\t\tmake('td', {}, module.validated || '')))))\n",
    "}\n",
    "\n",
    "changes()\n",
    "program()\n",
    "</script>\n",
    "</body>\n",
    "</html>\n",
};
static const char *const workspace_page_html[] = {
    "<!doctype html>\n",
    "<html lang=\"en\">\n",
    "<head>\n",
    "<meta charset=\"utf-8\">\n",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-s"
    "rc 'unsafe-inline'\">\n",
    "<title>Shared sets: spirv-bind</title>\n",
    "<style>\n",
    "@report.css@\n",
    ".scroll + .scroll { margin-top: 1rem; }\n",
    ".matrix { width: auto; }\n",
    ".matrix caption { white-space: nowrap; }\n",
    ".matrix th[scope=col] { vertical-align: bottom; }\n",
    ".matrix th[scope=col] > span { writing-mode: vertical-rl; transform: rotate(180deg); max-height: 16rem; overfl"
    "ow: hidden;\n",
    "\ttext-overflow: ellipsis; font-weight: 400; }\n",
    ".matrix tbody th { position: sticky; left: 0; background: var(--back); font-weight: 400; }\n",
    ".matrix td { padding: .2rem .3rem; text-align: center; }\n",
    ".kind.varies { outline: 2px solid var(--alarm); }\n",
    ".heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }\n",
    "button { font: inherit; }\n",
    "</style>\n",
    "</head>\n",
    "<body>\n",
    "<header><h1>Shared sets</h1><p id=\"summary\" class=\"soft\"></p></header>\n",
    "<noscript><p>This page draws the sets with a script. What they have is in its source, as JSON.</p></noscript>\n",
    "<form id=\"filters\" aria-label=\"Filters\"></form>\n",
    "<main id=\"main\"></main>\n",
    "<script type=\"application/json\" id=\"layout\">@LAYOUT@</script>\n",
    "<script type=\"application/json\" id=\"before\">@BEFORE@</script>\n",
    "<script>\n",
    "'use strict'\n",
    "@report.js@\n",
    "const KINDS = { SAMPLER: 'sampler', COMBINED_IMAGE_SAMPLER: 'combined', SAMPLED_IMAGE: 'texture', STORAGE_IMAG"
    "E: 'image',\n",
    "\tUNIFORM_TEXEL_BUFFER: 'utexbuf', STORAGE_TEXEL_BUFFER: 'stexbuf', UNIFORM_BUFFER: 'ubo', UNIFORM_BUFFER_DYNA"
    "MIC: 'ubo',\n",
    "\tINLINE_UNIFORM_BLOCK: 'ubo', STORAGE_BUFFER: 'ssbo', STORAGE_BUFFER_DYNAMIC: 'ssbo', INPUT_ATTACHMENT: 'inpu"
    "t-attachment',\n",
    "\tACCELERATION_STRUCTURE: 'as' }\n",
    "const LETTERS = { VERTEX: 'V', TESSELLATION_CONTROL: 'TC', TESSELLATION_EVALUATION: 'TE', GEOMETRY: 'G', FRAGM"
    "ENT: 'F',\n",
    "\tCOMPUTE: 'C', TASK: 'T', MESH: 'M', RAYGEN: 'RG', INTERSECTION: 'I', ANY_HIT: 'AH', CLOSEST_HIT: 'CH', MISS:"
    " 'Mi',\n",
    "\tCALLABLE: 'Ca' }\n",
    "const MOST = 200 // programs drawn unless all are requested, since more are slow in a browser\n",
    "\n",
    "function kindOf(binding) {\n",
    "\treturn KINDS[binding.descriptorType.replace(/^VK_DESCRIPTOR_TYPE_/, '').replace(/_(KHR|EXT|NV)$/, '')] || ''\n",
    "}\n",
    "\n",
    "function scopeOf(set) {\n",
    "\treturn set.family !== undefined ? 'family ' + set.family : set.programs === '*' ? 'all programs' : 'programs"
    " ' + set.programs\n",
    "}\n",
    "\n",
    "function places(of) {\n",
    "\tconst found = new Map()\n",
    "\tfor (const set of of.sets) {\n",
    "\t\tfor (const binding of set.bindings) {\n",
    "\t\t\tconst name = binding.name + (set.programs === '*' ? '' : ' (' + scopeOf(set) + ')')\n",
    "\t\t\tfound.set(found.has(name) ? name + ' in set ' + set.set : name, { key: set.set + '.' + binding.binding,\n",
    "\t\t\t\ttype: binding.descriptorType, count: binding.count })\n",
    "\t\t}\n",
    "\t}\n",
    "\treturn found\n",
    "}\n",
    "\n",
    "// For each program its use of each binding; for each binding the number of programs that use it, by stage.\n",
    "function index() {\n",
    "\tfor (const set of layout.sets) {\n",
    "\t\tset.rows = set.bindings.map(binding => ({ set, binding, key: set.set + '.' + binding.binding, kind: kindOf"
    "(binding), uses: new Map(),\n",
    "\t\t\ttext: [set.set + '.' + binding.binding, binding.name, descriptorName(binding.descriptorType)].join(' ')."
    "toLowerCase() }))\n",
    "\t\tset.members = new Set()\n",
    "\t}\n",
    "\tfor (const program of layout.programs) {\n",
    "\t\tprogram.rows = new Set()\n",
    "\t\tfor (let i = 0; i < program.uses.length; i += 4) {\n",
    "\t\t\tconst set = layout.sets[program.uses[i]], row = set.rows[program.uses[i + 1]]\n",
    "\t\t\tconst use = row.uses.get(program) || { stages: [], varies: false }\n",
    "\t\t\tlayout.stageNames.forEach((name, bit) => {\n",
    "\t\t\t\tif (program.uses[i + 2] >> bit & 1 && !use.stages.includes(name))\n",
    "\t\t\t\t\tuse.stages.push(name)\n",
    "\t\t\t})\n",
    "\t\t\tuse.varies ||= !!program.uses[i + 3]\n",
    "\t\t\trow.uses.set(program, use)\n",
    "\t\t\tprogram.rows.add(row)\n",
    "\t\t\tset.members.add(program)\n",
    "\t\t}\n",
    "\t}\n",
    "}\n",
    "\n",
    "function list(count, words, most) {\n",
    "\tconst text = words.join(', '), few = words.slice(0, most).join(', ')\n",
    "\treturn words.length <= most ? count + ': ' + text : make('details', {}, make('summary', {}, count + ': ' + f"
    "ew + ', …'), text)\n",
    "}\n",
    "\n",
    "function bindingRow(row, stages) {\n",
    "\tconst { binding } = row, uses = [...row.uses], programs = row.set.members.size\n",
    "\tconst cell = stage => {\n",
    "\t\tconst count = uses.filter(([, use]) => use.stages.includes(stage)).length\n",
    "\t\tconst varies = uses.filter(([, use]) => use.stages.includes(stage) && use.varies).length\n",
    "\t\treturn make('td', {}, count ? mark(String(count), 'programs in which this stage uses it') : '',\n",
    "\t\t\tvaries ? mark('NonUniform', 'in ' + varies + ' of these programs some index differs between invocations'"
    ", true) : '')\n",
    "\t}\n",
    "\tconst notes = [...binding.flags.map(flag => spoken(flag.replace(/^VK_DESCRIPTOR_BINDING_|_BIT$/g, ''))),\n",
    "\t\tbinding.immutableSamplers ? 'immutable samplers' : '', ...(binding.mutableTypes || []).map(descriptorName)"
    "].filter(Boolean)\n",
    "\treturn make('tr', { class: binding.stages.length ? null : 'unused' },\n",
    "\t\tmake('th', { scope: 'row', class: 'mono' }, row.key),\n",
    "\t\tmake('td', {}, binding.name || '(no name)', notes.length ? make('div', { class: 'soft' }, notes.join(', ')"
    ") : ''),\n",
    "\t\tmake('td', {}, chip(row.kind, descriptorName(binding.descriptorType))),\n",
    "\t\tmake('td', { class: 'mono' }, countOf(binding)), stages.map(cell),\n",
    "\t\tmake('td', {}, list(row.uses.size + ' of ' + programs, [...row.uses.keys()].map(program => program.name), "
    "4)))\n",
    "}\n",
    "\n",
    "function useCell(row, use) {\n",
    "\tif (!use)\n",
    "\t\treturn make('td', {})\n",
    "\tconst chipped = chip(row.kind, use.stages.map(stage => LETTERS[bareStage(stage)] || stage).join(' ') || '–')\n",
    "\tchipped.title = row.key + ' ' + row.binding.name + ': ' + (use.stages.map(s => spoken(bareStage(s))).join(',"
    " ') || 'declared, and not used') +\n",
    "\t\t(use.varies ? '; NonUniform' : '')\n",
    "\tif (use.varies) {\n",
    "\t\tchipped.classList.add('varies')\n",
    "\t\tchipped.append(make('span', { class: 'heard' }, ' NonUniform'))\n",
    "\t}\n",
    "\treturn make('td', {}, chipped)\n",
    "}\n",
    "\n",
    "function matrix(rows, programs, stages) {\n",
    "\tconst head = make('tr', {}, make('th', { scope: 'col' }, 'Program'),\n",
    "\t\trows.map(row => make('th', { scope: 'col' }, make('span', { title: row.binding.name }, row.key + ' ' + row"
    ".binding.name))))\n",
    "\tconst body = programs.map(program => make('tr', {}, make('th', { scope: 'row' }, program.name),\n",
    "\t\trows.map(row => useCell(row, row.uses.get(program)))))\n",
    "\tconst letters = stages.map(stage => LETTERS[bareStage(stage)] + ' ' + spoken(bareStage(stage)))\n",
    "\treturn make('div', { class: 'scroll' }, make('table', { class: 'matrix' },\n",
    "\t\tmake('caption', {}, ['Programs and what they have of this set: ' + letters.join(', '), '– declared only',\n",
    "\t\t\t'framed: NonUniform'].join('; ')), make('thead', {}, head), make('tbody', {}, body)))\n",
    "}\n",
    "\n",
    "function ownSets(program) {\n",
    "\tconst said = []\n",
    "\tfor (let i = 0; i < program.own.length; i += 2)\n",
    "\t\tsaid.push('set ' + program.own[i] + ': ' + program.own[i + 1])\n",
    "\treturn said.join(', ')\n",
    "}\n",
    "\n",
    "function programRow(program) {\n",
    "\treturn make('tr', {}, make('th', { scope: 'row' }, program.name),\n",
    "\t\tmake('td', {}, program.variantOf || '', program.leftOut ? make('span', { class: 'alarm' }, ' has faults: l"
    "eft out') : ''),\n",
    "\t\tmake('td', { class: 'mono' }, String(program.rows.size)), make('td', {}, ownSets(program)))\n",
    "}\n",
    "\n",
    "// The filters, and the rows that match them.\n",
    "function makeFilters(kinds, stages) {\n",
    "\tconst field = (id, placeholder) => make('input', { type: 'search', id, placeholder })\n",
    "\tconst resource = field('resource', 'name or place'), name = field('program', 'name')\n",
    "\tconst kind = make('select', { id: 'kind' }, option('', 'any type'), kinds.map(k => option(k, k)))\n",
    "\tconst stage = make('select', { id: 'stage' }, option('', 'any stage'), stages.map(s => option(s, spoken(bare"
    "Stage(s)))))\n",
    "\tconst only = { varies: 'NonUniform', lacking: 'not in all programs' }\n",
    "\tconst boxes = Object.fromEntries(Object.keys(only).map(id => [id, make('input', { type: 'checkbox', id })]))\n",
    "\tconst status = make('span', { class: 'soft', role: 'status' })\n",
    "\tconst form = document.getElementById('filters')\n",
    "\tform.append(make('label', {}, 'Resource ', resource), make('label', {}, 'Program ', name), make('label', {},"
    " 'Type ', kind),\n",
    "\t\tmake('label', {}, 'Stage ', stage), ...Object.keys(only).map(id => make('label', {}, boxes[id], ' ', only["
    "id])), status)\n",
    "\tform.addEventListener('submit', event => event.preventDefault())\n",
    "\tconst named = program => program.name.toLowerCase().includes(name.value.toLowerCase())\n",
    "\tconst fits = (row, use) => (!stage.value || use.stages.includes(stage.value)) && (!boxes.varies.checked || u"
    "se.varies)\n",
    "\treturn { form, status,\n",
    "\t\trow: row => row.text.includes(resource.value.toLowerCase()) && (!kind.value || row.kind === kind.value) &&\n",
    "\t\t\t(!boxes.lacking.checked || row.uses.size < row.set.members.size) &&\n",
    "\t\t\t[...row.uses].some(([program, use]) => named(program) && fits(row, use)),\n",
    "\t\tprogram: (program, rows) => named(program) && (rows.some(row => row.uses.has(program) && fits(row, row.use"
    "s.get(program))) ||\n",
    "\t\t\t!(resource.value || kind.value || stage.value || boxes.varies.checked || boxes.lacking.checked)) }\n",
    "}\n",
    "\n",
    "function workspace() {\n",
    "\tindex()\n",
    "\tconst order = stage => STAGES.indexOf(bareStage(stage))\n",
    "\tconst rows = layout.sets.flatMap(set => set.rows)\n",
    "\tconst stages = [...new Set(rows.flatMap(row => row.binding.stages))].sort((a, b) => order(a) - order(b))\n",
    "\tdocument.getElementById('summary').textContent = [layout.programs.length + ' programs', layout.sets.length +"
    " ' sets in common',\n",
    "\t\trows.length + ' bindings', rows.filter(row => row.binding.nonUniform).length + ' of them NonUniform'].join"
    "(' · ')\n",
    "\tconst chosen = makeFilters([...new Set(rows.map(row => row.kind))].sort(), stages)\n",
    "\tconst fixed = main.childElementCount // what has changed stays above\n",
    "\tlet most = MOST\n",
    "\tconst draw = () => {\n",
    "\t\tconst shown = rows.filter(chosen.row), isShown = new Set(shown)\n",
    "\t\tconst programs = layout.programs.filter(program => chosen.program(program, shown))\n",
    "\t\tconst more = count => {\n",
    "\t\t\tconst all = make('button', { type: 'button' }, 'Draw all ' + count + ' programs')\n",
    "\t\t\tall.addEventListener('click', () => draw(most = Infinity))\n",
    "\t\t\treturn count > most ? [make('p', {}, 'The first ' + most + ' are drawn. ', all)] : []\n",
    "\t\t}\n",
    "\t\twhile (main.childElementCount > fixed)\n",
    "\t\t\tmain.lastElementChild.remove()\n",
    "\t\tfor (const set of layout.sets) {\n",
    "\t\t\tconst here = set.rows.filter(row => isShown.has(row)), used = stages.filter(s => here.some(row => row.bi"
    "nding.stages.includes(s)))\n",
    "\t\t\tconst members = programs.filter(program => set.members.has(program))\n",
    "\t\t\tif (here.length)\n",
    "\t\t\t\tsection('Set ' + set.set + ', ' + scopeOf(set), table('Bindings, and in how many programs each stage u"
    "ses them', ['Set.binding',\n",
    "\t\t\t\t\t'Name', 'Type', 'Count', ...used.map(s => spoken(bareStage(s))), 'Programs'],\n",
    "\t\t\t\there.map(row => bindingRow(row, used))),\n",
    "\t\t\t\tmatrix(here, members.slice(0, most), used), ...more(members.length))\n",
    "\t\t}\n",
    "\t\tsection('Programs', table('All programs: how many bindings of sets in common they have, and the sets of th"
    "eir own',\n",
    "\t\t\t['Name', 'Variant of', 'In common', 'Own bindings'], programs.slice(0, most).map(programRow)), ...more(p"
    "rograms.length))\n",
    "\t\tchosen.status.textContent = shown.length + ' of ' + rows.length + ' bindings, ' + programs.length + ' of '"
    " + layout.programs.length +\n",
    "\t\t\t' programs'\n",
    "\t}\n",
    "\tchosen.form.addEventListener('input', draw)\n",
    "\tdraw()\n",
    "}\n",
    "\n",
    "changes()\n",
    "workspace()\n",
    "</script>\n",
    "</body>\n",
    "</html>\n",
};
static const char *const report_css[] = {
    ":root { color-scheme: light dark; --back: #fff; --text: #1c2024; --soft: #5d6570; --line: #d9dde2; --band: #f4"
    "f6f8;\n",
    "\t--alarm: #b3261e; --tone: 88%; }\n",
    "@media (prefers-color-scheme: dark) {\n",
    "\t:root { --back: #16191d; --text: #e6e8eb; --soft: #9aa3ad; --line: #343a41; --band: #1e2227; --alarm: #ff8a8"
    "0; --tone: 26%; }\n",
    "}\n",
    "* { box-sizing: border-box; }\n",
    "body { margin: 0 auto; max-width: 90rem; padding: 1.5rem; background: var(--back); color: var(--text);\n",
    "\tfont: 15px/1.45 system-ui, sans-serif; }\n",
    "h1 { font-size: 1.4rem; margin: 0; }\n",
    "h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }\n",
    "p { margin: .4rem 0; }\n",
    "code, .mono { font-family: ui-monospace, monospace; font-size: .92em; overflow-wrap: anywhere; }\n",
    ".soft { color: var(--soft); }\n",
    ".alarm { color: var(--alarm); font-weight: 600; }\n",
    "form { display: flex; flex-wrap: wrap; gap: .5rem 1.2rem; align-items: center; margin: 1rem 0; padding: .6rem "
    ".8rem;\n",
    "\tbackground: var(--band); border-radius: 6px; }\n",
    "input[type=search], select { font: inherit; padding: .2rem .4rem; }\n",
    ".scroll { overflow-x: auto; }\n",
    "table { border-collapse: collapse; width: 100%; }\n",
    "caption { text-align: left; color: var(--soft); padding: .3rem 0; }\n",
    "th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); }\n",
    "thead th { position: sticky; top: 0; background: var(--back); white-space: nowrap; }\n",
    "tbody th { font-weight: 600; white-space: nowrap; }\n",
    ".kind { display: inline-block; padding: 0 .45rem; border-radius: 4px; background: hsl(var(--hue) 60% var(--ton"
    "e)); white-space: nowrap; }\n",
    ".mark { display: inline-block; padding: 0 .35rem; margin-right: .2rem; border: 1px solid var(--line); border-r"
    "adius: 4px;\n",
    "\tfont-size: .85em; white-space: nowrap; }\n",
    ".mark.varies { border-color: var(--alarm); color: var(--alarm); }\n",
    ".unused { color: var(--soft); font-style: italic; }\n",
    "details > summary { cursor: pointer; }\n",
    "ol, ul { margin: .2rem 0; padding-left: 1.4rem; }\n",
    "tr[hidden] { display: none; }\n",
};
static const char *const report_js[] = {
    "const layout = JSON.parse(document.getElementById('layout').textContent)\n",
    "const main = document.getElementById('main')\n",
    "\n",
    "// Names come from the shader, so they are only inserted as text, never as HTML.\n",
    "function make(tag, attributes, ...children) {\n",
    "\tconst element = document.createElement(tag)\n",
    "\tfor (const [name, value] of Object.entries(attributes || {})) {\n",
    "\t\tif (value !== undefined && value !== null && value !== false)\n",
    "\t\t\telement.setAttribute(name, value === true ? '' : value)\n",
    "\t}\n",
    "\telement.append(...children.flat().filter(child => child !== null && child !== undefined && child !== ''))\n",
    "\treturn element\n",
    "}\n",
    "\n",
    "const HUES = { sampler: 45, combined: 300, texture: 210, image: 260, utexbuf: 185, stexbuf: 165, ubo: 120, ssb"
    "o: 20, as: 340,\n",
    "\t'input-attachment': 75, counter: 0 }\n",
    "const STAGES = ['VERTEX', 'TESSELLATION_CONTROL', 'TESSELLATION_EVALUATION', 'GEOMETRY', 'FRAGMENT', 'COMPUTE'"
    ", 'TASK', 'MESH',\n",
    "\t'RAYGEN', 'INTERSECTION', 'ANY_HIT', 'CLOSEST_HIT', 'MISS', 'CALLABLE']\n",
    "\n",
    "function bareStage(stage) {\n",
    "\treturn stage.replace(/^VK_SHADER_STAGE_/, '').replace(/_BIT(_\\w+)?$/, '')\n",
    "}\n",
    "\n",
    "function spoken(name) {\n",
    "\treturn name.toLowerCase().replaceAll('_', ' ')\n",
    "}\n",
    "\n",
    "function descriptorName(type) {\n",
    "\treturn spoken(String(type).replace(/^VK_DESCRIPTOR_TYPE_/, '').replace(/_(KHR|EXT|NV)$/, ''))\n",
    "}\n",
    "\n",
    "function chip(kind, text) {\n",
    "\treturn make('span', { class: 'kind', style: '--hue: ' + (HUES[kind] ?\? 0) }, text)\n",
    "}\n",
    "\n",
    "function mark(text, title, varies) {\n",
    "\treturn make('span', { class: varies ? 'mark varies' : 'mark', title }, text)\n",
    "}\n",
    "\n",
    "function countOf(binding) {\n",
    "\treturn binding.count === null ? '[]' : binding.countSpecId !== undefined ? binding.count + ' (constant ' + b"
    "inding.countSpecId + ')'\n",
    "\t\t: String(binding.count)\n",
    "}\n",
    "\n",
    "function table(caption, columns, rows) {\n",
    "\treturn make('div', { class: 'scroll' }, make('table', {}, make('caption', {}, caption),\n",
    "\t\tmake('thead', {}, make('tr', {}, columns.map(c => make('th', { scope: 'col' }, c)))), make('tbody', {}, ro"
    "ws)))\n",
    "}\n",
    "\n",
    "function section(title, ...children) {\n",
    "\tmain.append(make('section', {}, make('h2', {}, title), ...children))\n",
    "}\n",
    "\n",
    "function allBindings(of) {\n",
    "\treturn (of.sets || []).flatMap(set => set.bindings.map(binding => ({ set: set.set, binding })))\n",
    "}\n",
    "\n",
    "function option(value, text) {\n",
    "\treturn make('option', { value }, text)\n",
    "}\n",
    "\n",
    "// What has moved since the older layout, if there is one. places() of a page says where each resource is, by "
    "name.\n",
    "function changes() {\n",
    "\tconst before = document.getElementById('before').textContent\n",
    "\ttry {\n",
    "\t\tif (before)\n",
    "\t\t\tlistChanges(places(JSON.parse(before)), places(layout))\n",
    "\t} catch (error) {\n",
    "\t\tsection('Changes', make('p', { class: 'alarm' }, 'The older layout cannot be read: ' + error.message))\n",
    "\t}\n",
    "}\n",
    "\n",
    "function listChanges(old, now) {\n",
    "\tconst rows = []\n",
    "\tconst say = (name, what, from, to) => rows.push(make('tr', {}, make('th', { scope: 'row' }, name), make('td'"
    ", {}, what),\n",
    "\t\tmake('td', { class: 'mono' }, from), make('td', { class: 'mono' }, to)))\n",
    "\tfor (const [name, is] of now) {\n",
    "\t\tconst was = old.get(name)\n",
    "\t\tif (!was)\n",
    "\t\t\tsay(name, 'new', '', is.key)\n",
    "\t\telse if (was.key !== is.key)\n",
    "\t\t\tsay(name, 'moved', was.key, is.key)\n",
    "\t\tif (was && was.type !== is.type)\n",
    "\t\t\tsay(name, 'another type', descriptorName(was.type), descriptorName(is.type))\n",
    "\t\tif (was && was.count !== is.count)\n",
    "\t\t\tsay(name, 'another count', countOf(was), countOf(is))\n",
    "\t}\n",
    "\tfor (const [name, was] of old) {\n",
    "\t\tif (!now.has(name))\n",
    "\t\t\tsay(name, 'gone', was.key, '')\n",
    "\t}\n",
    "\tsection('Changes', rows.length ? table('Resources against the older layout, by name', ['Name', 'What', 'Befo"
    "re', 'Now'], rows)\n",
    "\t\t: make('p', { id: 'unchanged' }, 'No resource has another place, type or count than in the older layout.')"
    ")\n",
    "}\n",
    "\n",
};
    /* end */
/* clang-format on */

static const struct {
	const char *name;
	const char *const *lines;
	size_t count;
} parts[] = {
    {"layout_page.html", layout_page_html, SPB_COUNT(layout_page_html)},
    {"workspace_page.html", workspace_page_html, SPB_COUNT(workspace_page_html)},
    {"report.css", report_css, SPB_COUNT(report_css)},
    {"report.js", report_js, SPB_COUNT(report_js)},
};

/* JSON in a script element: no name may end the element. In JSON, < occurs in strings only. */
static void put_json(struct spb_text_buffer *text, const char *json)
{
	for (size_t run; *json; json += run) {
		run = strcspn(json, "<");
		spb_text_add(text, json, run);
		if (json[run]) {
			spb_text_put(text, "\\u003c");
			run++;
		}
	}
}

static bool is_name(const char *text, size_t length, const char *name)
{
	return !strncmp(text, name, length) && !name[length];
}

/* A line of a page; @NAME@ in it is the JSON, or a part. */
static void put_line(struct spb_text_buffer *text, const char *line, const char *json, const char *before)
{
	const char *at = strchr(line, '@'), *end = at ? strchr(at + 1, '@') : NULL;

	if (!end) {
		spb_text_put(text, line);
		return;
	}
	const char *name = at + 1;
	const size_t length = (size_t)(end - name);
	spb_text_add(text, line, (size_t)(at - line));
	if (is_name(name, length, "LAYOUT"))
		put_json(text, json);
	else if (is_name(name, length, "BEFORE"))
		put_json(text, before);
	for (size_t i = 0; i < SPB_COUNT(parts); i++) {
		if (!is_name(name, length, parts[i].name))
			continue;
		for (size_t k = 0; k < parts[i].count; k++)
			spb_text_put(text, parts[i].lines[k]);
	}
	spb_text_put(text, end + 1);
}

void spb_put_page(struct spb_text_buffer *text, enum spb_page page, const char *json, const char *before)
{
	for (size_t i = 0; i < parts[page].count; i++)
		put_line(text, parts[page].lines[i], json, before);
}
