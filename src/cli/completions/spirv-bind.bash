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
		--batch | --explain | --lower-buffer-references | --waterfall | --version | --help) ;; # its value follows "=" only
		*) option=$before ;;
		esac
	fi
	case $option in
	--batch) words='inputs stem' ;;
	--progress) words='auto never always' ;;
	--rules) words='slang hlsl' ;;
	--rebind) words='missing conflicts all all,sets' ;;
	--order) words='source source-strict module name' ;;
	--module-order) words='given pipeline' ;;
	--profile) words='dx12-shifts one-set set-per-kind sdl3gpu dxc dxc-flattened dxc-auto-shift glslang llvm' files=yes ;;
	--unused) words='count last remove' ;;
	--heap-model) words='typed mutable descriptor-heap' ;;
	--heap-preset) words='typed slang dxc' ;;
	--heap) words='sampler= combined= texture= image= utexbuf= stexbuf= ubo= ssbo= as= counter=' ;;
	--combined) words='native split' ;;
	--bounds-check) words='off clamp null' ;;
	--nonuniform) words='auto explicit all keep lint' ;;
	--uniform-scope) words='group group-or-subgroup' ;;
	--waterfall) words='all lengths drivers' ;;
	--lint) words='all= nonuniform= derivatives= barriers= subgroup= operands= assertions= comments=' ;;
	--check-assertions) words='compile warn runtime off' ;;
	--target-env) words='vulkan1.0 vulkan1.1 vulkan1.1spv1.4 vulkan1.2 vulkan1.3 vulkan1.4' ;;
	--validate) words='output strict both none' ;;
	--diagnostics) words='text json sarif github' ;;
	--color) words='auto never always' ;;
	--version) words='text json' ;;
	--only) words='expand-groups lower-builtin-heaps complete-heap-strides normalize-handles merge-resolver clone-handle-functions carry-handles lower-buffer-handles lower-handles inline-resolver resolve-descriptors qualify-heaps merge-combined split-combined share-loads adopt-heaps check-assertions decorate-nonuniform waterfall modernize-module descriptor-heap remove-unused unsize-arrays declare-runtime-arrays assign-bindings' ;;
	--dump-after) words='expand-groups lower-builtin-heaps complete-heap-strides normalize-handles merge-resolver clone-handle-functions carry-handles lower-buffer-handles lower-handles inline-resolver resolve-descriptors qualify-heaps merge-combined split-combined share-loads adopt-heaps check-assertions decorate-nonuniform waterfall modernize-module descriptor-heap remove-unused unsize-arrays declare-runtime-arrays assign-bindings' ;;
	-o | --layout-json | --depfile | --stamp | --layout-header | --layout-glsl | --report | --diff-against | --manifest | --collect | --check-compatible | --import | --lock | --part-lock | --resolver | --baseline)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -P "$prefix" -f -- "$current")
		return
		;;
	-I | --out-dir | --cache)
		compopt -o filenames 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -P "$prefix" -d -- "$current")
		return
		;;
	-D | -j | --programs | --shard | --explain | --auto-binding | --auto-set | --default-set | --bind | --parameter-block | --policy | --shift | --entry | --spec | --heap-set | --heap-size | --heap-stride | --instrument-handles | --resolver-timeout | --lower-buffer-references | --merge-combined | --ycbcr | --suppress | --help)
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
		COMPREPLY=($(compgen -W '-o -I -D --out-dir= --check --dry-run --layout-json= --record-options --strip-debug --depfile= --stamp= --layout-header= --layout-glsl= --report= --diff-against= --batch -j --fail-fast --cache= --progress= --manifest= --programs= --shard= --collect= --merge-collected --print-layout --explain --diff --check-compatible= --doctor --rules= --rebind= --order= --module-order= --auto-binding= --auto-set= --default-set= --bind= --parameter-block= --policy= --profile= --shift= --auto-shift --unused= --keep-array-sizes --allow-overlap --split-shared --entry= --spec= --no-merge --import= --lock= --locked --update-lock --part-lock= --merge-lock --heap-model= --heap-preset= --heap-set= --heap= --heap-size= --heap-stride= --combined= --bounds-check= --instrument-handles= --resolver= --resolver-timeout= --lower-buffer-references --split-combined --merge-combined= --nonuniform= --prune --uniform-scope= --waterfall --no-dynamic-caps --distrust-uniform --assume-aliased-references --ycbcr= --lint= --check-assertions= --suppress= --baseline= --target-env= --validate= --allow-unvalidated --relax-block-layout --uniform-buffer-standard-layout --scalar-block-layout --workgroup-scalar-block-layout --allow-localsizeid --diagnostics= --color= -q -v --version --help --only= --dump-after=' -- "$current"))
	fi
	if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
		compopt -o nospace 2>/dev/null
	fi
}
complete -o default -o bashdefault -F _spirv_bind spirv-bind
