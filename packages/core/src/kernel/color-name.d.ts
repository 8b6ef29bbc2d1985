/** The package publishes no types of its own. Names are lower case; values are red, green and blue, 0-255 each. */
declare module 'color-name' {
  const colors: Readonly<Record<string, readonly [red: number, green: number, blue: number]>>

  export { colors as default }
}
