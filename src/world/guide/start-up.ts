// Where the guide stands on the learner's machine, and how its shell comes to it.

const notFoundPath = "/usr/lib/command-not-found";
const helpPath = "/usr/lib/help";

/** Programs that the shell's start-up file calls, and their names as late programs. */
export const guideFiles: readonly (readonly [path: string, name: string])[] = [
  [notFoundPath, "guide/command-not-found"],
  [helpPath, "guide/help"],
];

/** The functions of the start-up file. */
export const guideFunctions = ["command_not_found_handle", "help"] as const;

/** /etc/bash.bashrc: bash calls the function by its name, as on Debian. */
export const guideStartUp = `# A command that is not here: what bash says, and a line on what is.
command_not_found_handle() {
    printf '%s: %s: command not found\\n' "$0" "$1" >&2
    if [ -t 2 ]; then ${notFoundPath} "$1" >&2; fi
    return 127
}
# What is here; with a name, bash's own help.
help() {
    if [ $# -gt 0 ]; then builtin help "$@"; else ${helpPath}; fi
}
`;
