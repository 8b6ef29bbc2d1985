// Makes the declarations available to builds that start from one entry file.
/// <reference path="./color-name.d.ts" />
import namedColors from 'color-name'

const hexColor = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** `#abc` is short for `#aabbcc`. */
const expandHex = (color: string) => (color.length === 4 ? color.replace(/[^#]/g, '$&$&') : color)

const toHex = (channels: readonly number[]) =>
  `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`.toUpperCase()

/**
 * Normalizes a color: removes surrounding whitespace, expands `#abc` to six digits, and converts a CSS color name in any case
 * to upper-case hexadecimal. `undefined` for other text.
 */
export const parseLabelColor = (text: string): string | undefined => {
  const color = text.trim()
  if (color.startsWith('#')) return hexColor.test(color) ? expandHex(color) : undefined
  const name = color.toLowerCase()
  const channels = Object.hasOwn(namedColors, name) ? namedColors[name] : undefined
  return channels && toHex(channels)
}

/** A background with a greater sum of red, green and blue (at most 765) is light. */
const lightThreshold = 500

/** Returns a readable text color for a background of `#` with 3 or 6 hexadecimal digits. */
export const getTextColor = (color: string): '#333333' | '#FFFFFF' => {
  const value = Number.parseInt(color.slice(1), 16)
  // A short color repeats each digit: 0xf becomes 0xff, which is 0xf * 17.
  const sum =
    color.length === 4
      ? ((value >> 8) + ((value >> 4) & 15) + (value & 15)) * 17
      : (value >> 16) + ((value >> 8) & 255) + (value & 255)
  return sum > lightThreshold ? '#333333' : '#FFFFFF'
}
