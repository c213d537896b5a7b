# bash completion for spirv-bind. Generated from its table of options by scripts/gen_cli.py.
_spirv_bind()
{
	local current=${COMP_WORDS[COMP_CWORD]} option= prefix= words= files=
	local before=${COMP_WORDS[COMP_CWORD - 1]}
	COMPREPLY=()
	if [[ $current == --*=* ]]; then # "=" does not break words
		option=${current%%=*} prefix=${current%%=*}= current=${current#*=}
	elif [[ $current == = ]]; then
		option=$before current=
	elif [[ $before == = ]]; then
		option=${COMP_WORDS[COMP_CWORD - 2]}
	else
		case $before in
		--each | --lower-buffer-references | --waterfall | --version | --help) ;; # its value follows "=" only
		*) option=$before ;;
		esac
	fi
	case $option in
	-S) words='vert tesc tese geom frag comp task mesh rgen rint rahit rchit rmiss rcall' ;;
	--words) words='binary num c' ;;
	--each) words='inputs stem' ;;
	--progress) words='auto never always' ;;
	--rules) words='slang hlsl' ;;
	--rebind) words='missing conflicts all all,sets' ;;
	--order) words='source source-strict module name' ;;
	--profile) words='dx12-shifts one-set set-per-kind sdl3gpu dxc dxc-flattened dxc-auto-shift glslang llvm' files=yes ;;
	--unused) words='count last remove' ;;
	--heap-model) words='typed mutable descriptor-heap slang dxc' ;;
	--heap) words='sampler= combined= texture= image= utexbuf= stexbuf= ubo= ssbo= as= counter=' ;;
	--combined) words='native split' ;;
	--bounds-check) words='off clamp null' ;;
	--nonuniform) words='auto explicit all keep' ;;
	--uniform-scope) words='auto group group-or-subgroup' ;;
	--waterfall) words='all lengths drivers input-attachment sampler combined texture image utexbuf stexbuf ubo ssbo as counter' ;;
	--host-features) words='shaderUniformBufferArrayDynamicIndexing shaderSampledImageArrayDynamicIndexing shaderStorageBufferArrayDynamicIndexing shaderStorageImageArrayDynamicIndexing shaderUniformTexelBufferArrayDynamicIndexing shaderStorageTexelBufferArrayDynamicIndexing shaderInputAttachmentArrayDynamicIndexing shaderStorageTensorArrayDynamicIndexing shaderUniformBufferArrayNonUniformIndexing shaderSampledImageArrayNonUniformIndexing shaderStorageBufferArrayNonUniformIndexing shaderStorageImageArrayNonUniformIndexing shaderUniformTexelBufferArrayNonUniformIndexing shaderStorageTexelBufferArrayNonUniformIndexing shaderInputAttachmentArrayNonUniformIndexing shaderStorageTensorArrayNonUniformIndexing runtimeDescriptorArray shaderStorageImageReadWithoutFormat shaderStorageImageWriteWithoutFormat shaderStorageImageMultisample imageCubeArray rayQuery rayTracingPipeline bufferDeviceAddress shaderUntypedPointers descriptorHeap descriptorBindingUniformBufferUpdateAfterBind descriptorBindingSampledImageUpdateAfterBind descriptorBindingStorageImageUpdateAfterBind descriptorBindingStorageBufferUpdateAfterBind descriptorBindingUniformTexelBufferUpdateAfterBind descriptorBindingStorageTexelBufferUpdateAfterBind descriptorBindingAccelerationStructureUpdateAfterBind descriptorBindingStorageTensorUpdateAfterBind descriptorBindingInlineUniformBlockUpdateAfterBind descriptorBindingUpdateUnusedWhilePending descriptorBindingPartiallyBound descriptorBindingVariableDescriptorCount mutableDescriptorType inlineUniformBlock pushDescriptor descriptorBuffer descriptorBufferPushDescriptors VK_SUBGROUP_FEATURE_VOTE_BIT VK_SUBGROUP_FEATURE_BALLOT_BIT VK_EXT_shader_subgroup_ballot none vulkan1.0 vulkan1.1 vulkan1.2 vulkan1.3 vulkan1.4 roadmap2022 roadmap2024 roadmap2026' ;;
	--lint) words='all= nonuniform= derivatives= implicit-lod= barriers= subgroup= operands= assertions= comments=' ;;
	--check-assertions) words='compile warn runtime off' ;;
	--target-env) words='vulkan1.0 vulkan1.1 vulkan1.1spv1.4 vulkan1.2 vulkan1.3 vulkan1.4' ;;
	--validate) words='output strict both none' ;;
	--diagnostics) words='text json sarif github' ;;
	--color) words='auto never always' ;;
	--version) words='text json' ;;
	--dump-after) words='expand-groups repair-module gather-data unsize-arrays type-parameters lower-builtin-heaps complete-heap-strides normalize-handles split-heaps merge-resolver check-heaps clone-handle-functions carry-handles lower-buffer-handles lower-handles inline-resolver keep-addresses resolve-descriptors qualify-heaps merge-combined split-combined share-loads adopt-heaps check-assertions decorate-nonuniform waterfall modernize-module descriptor-heap remove-unused declare-runtime-arrays assign-bindings declare-dynamic-indexing' ;;
	-o | --layout-json | --depfile | --stamp | --layout-header | --layout-glsl | --report | --against | -m | --import | --lock | --resolver | --baseline)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -P "$prefix" -f -- "$current")
		return
		;;
	-I | --out-dir | --base | --cache)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -P "$prefix" -d -- "$current")
		return
		;;
	-D | --name | -j | --programs | --shard | --auto-binding | --place | --policy | --shift | -e | --spec | --heap-set | --heap-size | --heap-stride | --instrument-handles | --lower-buffer-references | --merge-combined | --ycbcr | --suppress | --help)
		compopt +o default 2>/dev/null
		return
		;;
	esac
	if [[ $words ]]; then
		COMPREPLY=($(compgen -P "$prefix" -W "$words" -- "$current"))
		if [[ $files ]]; then
			compopt -o filenames 2>/dev/null
			mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -P "$prefix" -f -- "$current")
		fi
	elif [[ $current == -* ]]; then
		case ${COMP_WORDS[1]} in
		check) words='-I -D -S --strip-debug --depfile= --stamp= --against= --each -j --fail-fast --cache= --progress= -m --programs= --shard= --rules= --rebind= --order= --auto-binding= --place= --policy= --profile= --shift= --unused= --allow-overlap -e --spec= --import= --lock= --heap-model= --heap-set= --heap= --heap-size= --heap-stride= --combined= --bounds-check= --instrument-handles= --resolver= --lower-buffer-references --split-combined --merge-combined= --nonuniform= --prune --uniform-scope= --waterfall --host-features= --distrust-uniform --assume-aliased-references --lint= --check-assertions= --suppress= --baseline= --target-env= --validate= --allow-unvalidated --relax-block-layout --uniform-buffer-standard-layout --scalar-block-layout --workgroup-scalar-block-layout --allow-localsizeid --diagnostics= --color= -q -v --version --help' ;;
		lint) words='-I -D -S --depfile= --stamp= --each -j --fail-fast --cache= --progress= -m --programs= --shard= --rules= --rebind= --order= --auto-binding= --place= --policy= --profile= --shift= --unused= --allow-overlap -e --spec= --import= --heap-model= --heap-set= --heap= --heap-size= --heap-stride= --combined= --bounds-check= --instrument-handles= --resolver= --lower-buffer-references --split-combined --merge-combined= --uniform-scope= --distrust-uniform --assume-aliased-references --ycbcr= --lint= --suppress= --baseline= --target-env= --diagnostics= --color= -q -v --version --help' ;;
		layout) words='-I -D -S --layout-json= --depfile= --stamp= --layout-header= --layout-glsl= --report= --accesses --against= --each -j --fail-fast --cache= --progress= -m --programs= --rules= --rebind= --order= --auto-binding= --place= --policy= --profile= --shift= --unused= --allow-overlap -e --spec= --import= --lock= --locked --heap-model= --heap-set= --heap= --heap-size= --heap-stride= --combined= --bounds-check= --instrument-handles= --resolver= --lower-buffer-references --split-combined --merge-combined= --nonuniform= --prune --uniform-scope= --waterfall --host-features= --distrust-uniform --assume-aliased-references --check-assertions= --target-env= --diagnostics= --color= -q -v --version --help' ;;
		explain) words='-I -D -S --depfile= --stamp= --name= --each -j --fail-fast --cache= --progress= -m --programs= --rules= --rebind= --order= --auto-binding= --place= --policy= --profile= --shift= --unused= --allow-overlap -e --spec= --import= --lock= --heap-model= --heap-set= --heap= --heap-size= --heap-stride= --combined= --bounds-check= --instrument-handles= --resolver= --lower-buffer-references --split-combined --merge-combined= --nonuniform= --prune --uniform-scope= --waterfall --host-features= --distrust-uniform --assume-aliased-references --check-assertions= --target-env= --diagnostics= --color= -q -v --version --help' ;;
		lock) words='-o -I -D -S --depfile= --stamp= --each -j --fail-fast --cache= --progress= -m --programs= --shard= --rules= --rebind= --order= --auto-binding= --place= --policy= --profile= --shift= --unused= --allow-overlap -e --spec= --import= --lock= --heap-model= --heap-set= --heap= --heap-size= --heap-stride= --combined= --bounds-check= --instrument-handles= --resolver= --lower-buffer-references --split-combined --merge-combined= --target-env= --diagnostics= --color= -q -v --version --help' ;;
		collect) words='-o -I -D -S --depfile= --stamp= --each -j --fail-fast --cache= --progress= -m --programs= --shard= --rules= --rebind= --order= --auto-binding= --place= --policy= --profile= --shift= --unused= --allow-overlap -e --spec= --import= --lock= --heap-model= --heap-set= --heap= --heap-size= --heap-stride= --combined= --bounds-check= --instrument-handles= --resolver= --lower-buffer-references --split-combined --merge-combined= --target-env= --diagnostics= --color= -q -v --version --help' ;;
		decide) words='-I -D -S --layout-json= --depfile= --stamp= --report= --accesses --against= --each -j --fail-fast --cache= --progress= -m --programs= --rules= --rebind= --order= --auto-binding= --place= --policy= --profile= --shift= --unused= --allow-overlap -e --spec= --import= --lock= --locked --heap-model= --heap-set= --heap= --heap-size= --heap-stride= --combined= --bounds-check= --instrument-handles= --resolver= --lower-buffer-references --split-combined --merge-combined= --target-env= --diagnostics= --color= -q -v --version --help' ;;
		pass) words='-o -I -D -S --out-dir= --base= --words= --record-options --strip-debug --depfile= --stamp= --each -j --fail-fast --cache= --progress= -m --programs= --rules= --rebind= --order= --auto-binding= --place= --policy= --profile= --shift= --unused= --allow-overlap -e --spec= --import= --lock= --heap-model= --heap-set= --heap= --heap-size= --heap-stride= --combined= --bounds-check= --instrument-handles= --resolver= --lower-buffer-references --split-combined --merge-combined= --nonuniform= --prune --uniform-scope= --waterfall --host-features= --distrust-uniform --assume-aliased-references --check-assertions= --target-env= --diagnostics= --color= -q -v --version --help --dump-after=' ;;
		*) words='-o -I -D -S --out-dir= --base= --words= --layout-json= --record-options --strip-debug --depfile= --stamp= --layout-header= --layout-glsl= --report= --accesses --against= --each -j --fail-fast --cache= --progress= -m --programs= --shard= --rules= --rebind= --order= --auto-binding= --place= --policy= --profile= --shift= --unused= --allow-overlap -e --spec= --import= --lock= --locked --update-lock --heap-model= --heap-set= --heap= --heap-size= --heap-stride= --combined= --bounds-check= --instrument-handles= --resolver= --lower-buffer-references --split-combined --merge-combined= --nonuniform= --prune --uniform-scope= --waterfall --host-features= --distrust-uniform --assume-aliased-references --lint= --check-assertions= --suppress= --baseline= --target-env= --validate= --allow-unvalidated --relax-block-layout --uniform-buffer-standard-layout --scalar-block-layout --workgroup-scalar-block-layout --allow-localsizeid --diagnostics= --color= -q -v --version --help --dump-after=' ;;
		esac
		COMPREPLY=($(compgen -W "$words" -- "$current"))
	elif [[ $COMP_CWORD -eq 1 ]]; then
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -W 'bind check lint layout explain lock collect decide pass ' -f -- "$current")
	elif [[ $COMP_CWORD -eq 2 && $before == lock ]]; then
		COMPREPLY=($(compgen -W 'check update merge part' -- "$current"))
	fi
	if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
		compopt -o nospace 2>/dev/null
	fi
}
complete -o default -o bashdefault -F _spirv_bind spirv-bind
