const layout = JSON.parse(document.getElementById('layout').textContent)
const main = document.getElementById('main')

// Names come from the shader, so they are only inserted as text, never as HTML.
function make(tag, attributes, ...children) {
	const element = document.createElement(tag)
	for (const [name, value] of Object.entries(attributes || {})) {
		if (value !== undefined && value !== null && value !== false)
			element.setAttribute(name, value === true ? '' : value)
	}
	element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== ''))
	return element
}

const HUES = { sampler: 45, combined: 300, texture: 210, image: 260, utexbuf: 185, stexbuf: 165, ubo: 120, ssbo: 20, as: 340,
	'input-attachment': 75, counter: 0 }
const STAGES = ['VERTEX', 'TESSELLATION_CONTROL', 'TESSELLATION_EVALUATION', 'GEOMETRY', 'FRAGMENT', 'COMPUTE', 'TASK', 'MESH',
	'RAYGEN', 'INTERSECTION', 'ANY_HIT', 'CLOSEST_HIT', 'MISS', 'CALLABLE']

function bareStage(stage) {
	return stage.replace(/^VK_SHADER_STAGE_/, '').replace(/_BIT(_\w+)?$/, '')
}

function spoken(name) {
	return name.toLowerCase().replaceAll('_', ' ')
}

function descriptorName(type) {
	return spoken(String(type).replace(/^VK_DESCRIPTOR_TYPE_/, '').replace(/_(KHR|EXT|NV)$/, ''))
}

function chip(kind, text) {
	return make('span', { class: 'kind', style: '--hue: ' + (HUES[kind] ?? 0) }, text)
}

function mark(text, title, varies) {
	return make('span', { class: varies ? 'mark varies' : 'mark', title }, text)
}

function countOf(binding) {
	return binding.count === null ? '[]' : binding.countSpecId !== undefined ? binding.count + ' (constant ' + binding.countSpecId + ')'
		: String(binding.count)
}

function table(caption, columns, rows) {
	return make('div', { class: 'scroll' }, make('table', {}, make('caption', {}, caption),
		make('thead', {}, make('tr', {}, columns.map(c => make('th', { scope: 'col' }, c)))), make('tbody', {}, rows)))
}

function section(title, ...children) {
	main.append(make('section', {}, make('h2', {}, title), ...children))
}

function allBindings(of) {
	return (of.sets || []).flatMap(set => set.bindings.map(binding => ({ set: set.set, binding })))
}

function option(value, text) {
	return make('option', { value }, text)
}

// What has moved since the older layout, if there is one. places() of a page says where each resource is, by name.
function changes() {
	const before = document.getElementById('before').textContent
	try {
		if (before)
			listChanges(places(JSON.parse(before)), places(layout))
	} catch (error) {
		section('Changes', make('p', { class: 'alarm' }, 'The older layout cannot be read: ' + error.message))
	}
}

function listChanges(old, now) {
	const rows = []
	const say = (name, what, from, to) => rows.push(make('tr', {}, make('th', { scope: 'row' }, name), make('td', {}, what),
		make('td', { class: 'mono' }, from), make('td', { class: 'mono' }, to)))
	for (const [name, is] of now) {
		const was = old.get(name)
		if (!was)
			say(name, 'new', '', is.key)
		else if (was.key !== is.key)
			say(name, 'moved', was.key, is.key)
		if (was && was.type !== is.type)
			say(name, 'another type', descriptorName(was.type), descriptorName(is.type))
		if (was && was.count !== is.count)
			say(name, 'another count', countOf(was), countOf(is))
	}
	for (const [name, was] of old) {
		if (!now.has(name))
			say(name, 'gone', was.key, '')
	}
	section('Changes', rows.length ? table('Resources against the older layout, by name', ['Name', 'What', 'Before', 'Now'], rows)
		: make('p', { id: 'unchanged' }, 'No resource has another place, type or count than in the older layout.'))
}

