// Text of nano's help, behind ^G.

/** The page behind ^G: what the keys do. */
export const nanoHelp: readonly string[] = [
  "Main nano help text",
  "",
  " ^X        Close the current buffer / Exit from nano",
  " ^O  ^S    Write the current buffer to disk (^S: under its name)",
  " ^R        Insert another file into the current buffer",
  " ^W  M-W   Search for a string; search again",
  " ^\\  M-R   Replace a string",
  " ^K        Cut the current line (or the marked region)",
  " ^U        Paste the contents of the cutbuffer",
  " M-A M-6   Mark text from the cursor; copy it",
  " M-U M-E   Undo the last operation; redo it",
  " ^C        Display the position of the cursor",
  " ^/  M-G   Go to line and column number",
  " ^A  ^E    Go to the beginning, the end of the current line",
  " ^Y  ^V    Go one screenful up, down",
  " M-\\ M-/   Go to the first, the last line of the file",
  " M-N       Line numbers",
];
