import { type Html, type HtmlValue, html } from '../html.ts'

interface FieldOptions {
  readonly name: string
  readonly label: string
  readonly type?: 'text' | 'password' | 'date' | 'url' | 'email'
  readonly value?: string
  readonly required?: boolean
  readonly autocomplete?: string
}

/** A labeled input of a form. */
export const field = ({ name, label, type = 'text', value = '', required, autocomplete = 'off' }: FieldOptions): Html =>
  html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${required && html` required`}>`

/** A labeled text of several lines. */
export const textField = (name: string, label: string): Html =>
  html`<label for="${name}">${label}</label>
<textarea id="${name}" name="${name}" rows="4" spellcheck="false" autocomplete="off" required></textarea>`

interface Choice {
  readonly value: string
  readonly label: string
  readonly isChosen: boolean
}

/** Boxes of which any number can be checked. */
export const checkboxes = (name: string, legend: string, choices: readonly Choice[]): Html =>
  html`<fieldset><legend>${legend}</legend>${choices.map(
    ({ value, label, isChosen }) =>
      html`<label class="choice"><input type="checkbox" name="${name}" value="${value}"${isChosen && html` checked`}> ${label}</label>`,
  )}</fieldset>`

/** A form that is sent to a page of this site. */
export const form = (action: string, button: string, fields: HtmlValue): Html =>
  html`<form method="post" action="${action}" class="sign-in">
${fields}
<button type="submit">${button}</button></form>`
