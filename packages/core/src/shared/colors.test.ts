import namedColors from 'color-name'
import { describe, expect, test } from 'vitest'
import { getTextColor, parseLabelColor } from './colors.ts'

describe('parseLabelColor', () => {
  test.each([
    ['#428BCA', '#428BCA'],
    ['#ffAAbb', '#ffAAbb'],
    ['  #fab\n', '#ffaabb'],
    ['red', '#FF0000'],
    [' ReBeccaPurple ', '#663399'],
    ['gray', '#808080'],
    ['grey', '#808080'],
    ['cyan', '#00FFFF'],
    ['magenta', '#FF00FF'],
    ['navy', '#000080'],
  ])('stores %j as %s', (text, color) => {
    expect(parseLabelColor(text)).toBe(color)
  })

  test.each([
    '',
    '#',
    '#FFAA',
    '#FFAAB',
    '#FFAABBC',
    '#GGGGGG',
    '# FFAAB',
    '#red',
    'FFAABB',
    'reddish',
    'light blue',
    'constructor',
    '__proto__',
    'default',
  ])('rejects %j', (text) => {
    expect(parseLabelColor(text)).toBeUndefined()
  })

  test('accepts the 148 color names of CSS', () => {
    const names = Object.keys(namedColors)
    expect(names).toHaveLength(148)
    for (const name of names) {
      const color = parseLabelColor(name)
      expect(color).toMatch(/^#[0-9A-F]{6}$/)
      expect(parseLabelColor(color ?? '')).toBe(color)
    }
  })
})

describe('getTextColor', () => {
  test.each([
    ['#428BCA', '#FFFFFF'],
    ['#FFAABB', '#333333'],
    ['#FFFF00', '#333333'],
    ['#F0AD4E', '#FFFFFF'],
    ['#FFFFFF', '#333333'],
    ['#000000', '#FFFFFF'],
    ['#FFF', '#333333'],
    ['#ffb', '#333333'],
    ['#f00', '#FFFFFF'],
    // A sum of 500 is dark, 501 is light.
    ['#FFF500', '#FFFFFF'],
    ['#FFF600', '#333333'],
  ])('the text color on %s is %s', (background, text) => {
    expect(getTextColor(background)).toBe(text)
  })
})
