/** A word of a command line, quoted for a POSIX shell where it needs that. */
export const quote = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
