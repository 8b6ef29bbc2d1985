/** The newest e-mails. */

import { createCode, createElement, createText, renderList, runOnClick } from './dom.js'

const toggleText = (button, row, text) => {
  const isOpen = button.getAttribute('aria-expanded') === 'true'
  if (isOpen) row.querySelector('pre')?.remove()
  else row.append(createCode(text, 'Text of the e-mail'))
  button.setAttribute('aria-expanded', String(!isOpen))
}

const createRow = ({ to, subject, text }) => {
  const button = createElement('button', { type: 'button', className: 'small', textContent: 'Text' })
  button.setAttribute('aria-label', `Text of the e-mail to ${to}`)
  button.setAttribute('aria-expanded', 'false')
  const row = createElement('li', {}, createText('name', subject), button, createText('more target', `to ${to}`))
  runOnClick(button, () => toggleText(button, row, text))
  return row
}

export const renderMail = (messages) => renderList('mail', messages, createRow)
