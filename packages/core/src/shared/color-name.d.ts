/** The package contains no types. Names are lower case; values are red, green and blue from 0 to 255. */
declare module 'color-name' {
  const colors: Readonly<Record<string, readonly [red: number, green: number, blue: number]>>

  export { colors as default }
}
