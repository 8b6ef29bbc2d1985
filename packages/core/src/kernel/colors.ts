// Named here so that builds that start from one entry file find it too.
/// <reference path="./color-name.d.ts" />
import namedColors from 'color-name'

const hexColor = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

const toHex = (channels: readonly number[]) =>
  `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`.toUpperCase()

/**
 * A colour as it is stored: surrounding blanks are dropped, `#` with 3 or 6 hexadecimal digits keeps its case,
 * a CSS colour name in any case becomes upper-case hexadecimal. `undefined` when it is neither.
 */
export const labelColor = (text: string): string | undefined => {
  const color = text.trim()
  if (color.startsWith('#')) return hexColor.test(color) ? color : undefined
  const name = color.toLowerCase()
  const channels = Object.hasOwn(namedColors, name) ? namedColors[name] : undefined
  return channels && toHex(channels)
}

/** Above this sum of red, green and blue (765 at most) a background counts as light. */
const lightFrom = 500

/** The text colour that reads well on a background written as `#` with 3 or 6 hexadecimal digits. */
export const textColor = (color: string): '#333333' | '#FFFFFF' => {
  const value = Number.parseInt(color.slice(1), 16)
  // A short colour doubles each of its digits, which is to multiply it by 17.
  const sum =
    color.length === 4
      ? ((value >> 8) + ((value >> 4) & 15) + (value & 15)) * 17
      : (value >> 16) + ((value >> 8) & 255) + (value & 255)
  return sum > lightFrom ? '#333333' : '#FFFFFF'
}
