import type { MarkdownIt } from 'markdown-it'
import { commonMarkParser } from './libraries.ts'

let undoEscapes: MarkdownIt['utils']['unescapeAll'] | undefined

/**
 * Replaces the HTML character references of an attribute value that end in a semicolon. Others stay as they are, and
 * whoever writes the value out again escapes their ampersand, so that what was checked is what a browser reads.
 */
export const withoutCharacterReferences = (value: string): string => {
  if (!value.includes('&')) return value
  undoEscapes ??= commonMarkParser().utils.unescapeAll
  // The library also undoes Markdown's backslashes; doubling them first makes that a no-op.
  return undoEscapes(value.replaceAll('\\', '\\\\'))
}

const replacements: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as it stands in HTML, also between double quotes. */
export const escapeHtml = (text: string): string =>
  /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (character) => replacements[character] ?? character) : text
