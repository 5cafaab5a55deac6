import { InputError } from "../../input-error.ts";
import type { Command, CommandOption } from "../command.ts";
import { COMMON_OPTIONS } from "../parse-arguments.ts";

/** `heterskin completion`: prints the script that completes commands and options in a shell. */
export const completion: Command = {
  name: "completion",
  summary: "Print the completion script of a shell.",
  usage: "completion bash|zsh|fish",
  positionals: [1, 1],
  options: {},
  examples: [
    ['eval "$(heterskin completion bash)"', "In ~/.bashrc; with zsh in ~/.zshrc."],
    ["heterskin completion fish > ~/.config/fish/completions/heterskin.fish", "With fish."],
  ],
  async run(args, context) {
    const shell = SHELLS.find((each) => each === args.positionals[0]);
    if (!shell) throw new InputError(`Completion exists for ${SHELLS.join(", ")}.`);
    const script = completionScript(shell, await context.commands(), COMMON_OPTIONS);
    if (args.flag("json")) context.result({ shell, script });
    else context.output(script);
  },
};

/** Shells with completion. */
const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** A command with what can follow it. */
interface Entry {
  /** Its words: `farm submit`. */
  words: string;
  summary: string;
  options: [string, CommandOption][];
}

/** Returns the script that completes commands, options and their choices in a shell; other words are files. */
function completionScript(
  shell: Shell,
  commands: readonly Command[],
  common: Record<string, CommandOption>,
): string {
  const entries = commands.flatMap((command): Entry[] =>
    [command, ...(command.commands ?? [])].map((each) => ({
      words: each === command ? command.name : `${command.name} ${each.name}`,
      summary: each.summary,
      options: Object.entries({ ...common, ...each.options }),
    })),
  );
  if (shell === "fish") return fishScript(entries);
  const bash = bashScript(entries);
  return shell === "bash"
    ? bash
    : `#compdef heterskin\nautoload -U +X bashcompinit && bashcompinit\n${bash}`;
}

function bashScript(entries: readonly Entry[]): string {
  const names = (below: string) =>
    entries
      .map(({ words }) => words)
      .filter((words) => words.startsWith(below) && !words.slice(below.length).includes(" "))
      .map((words) => words.slice(below.length));
  const groups = entries.filter(({ words }) => names(`${words} `).length > 0);
  const flags = entries.map(
    ({ words, options }) =>
      `    "${words}") flags="${options.map(([name]) => `--${name}`).join(" ")}" ;;`,
  );
  const values = entries.flatMap(({ words, options }) =>
    options
      .filter(([, { choices }]) => choices)
      .map(([name, { choices }]) => `    "${words} --${name}") values="${choices!.join(" ")}" ;;`),
  );
  return `# Completion of heterskin.
_heterskin() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="\${COMP_WORDS[1]}" flags="" values="" names=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names("").join(" ")} help" -- "$current"))
    return
  fi
  case "$command" in
${groups.map(({ words }) => `    ${words}) names="${names(`${words} `).join(" ")}" ;;`).join("\n")}
  esac
  if [ -n "$names" ]; then
    if [ "$COMP_CWORD" -eq 2 ]; then
      COMPREPLY=($(compgen -W "$names" -- "$current"))
      return
    fi
    command="$command \${COMP_WORDS[2]}"
  fi
  case "$command $previous" in
${values.join("\n")}
  esac
  if [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
    return
  fi
  case "$command" in
${flags.join("\n")}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _heterskin heterskin
`;
}

function fishScript(entries: readonly Entry[]): string {
  const quoted = (text: string) => `'${text.replace(/['\\]/g, "\\$&")}'`;
  const lines = entries.flatMap(({ words, summary, options }) => {
    const [first, second] = words.split(" ");
    const isSeen = second
      ? `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`
      : `__fish_seen_subcommand_from ${first}`;
    const before = second ? `__fish_seen_subcommand_from ${first}` : "__fish_use_subcommand";
    return [
      `complete -c heterskin -n '${before}' -a ${second ?? first} -d ${quoted(summary)}`,
      ...options.map(([name, { short, type, choices, help }]) =>
        [
          `complete -c heterskin -n '${isSeen}' -l ${name}`,
          ...(short ? [`-s ${short}`] : []),
          ...(choices ? [`-x -a ${quoted(choices.join(" "))}`] : type === "flag" ? [] : ["-r"]),
          `-d ${quoted(help)}`,
        ].join(" "),
      ),
    ];
  });
  return `# Completion of heterskin.\n${lines.join("\n")}\n`;
}
