/** The newest requests of webhooks. */

import { createCode, createElement, createText, formatInstant, renderList, runOnClick } from './dom.js'
import { requestJson } from './server.js'

const isSuccess = (status) => status.startsWith('2')

const formatHeaders = (headers) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

/** Request and response, which are loaded when they are opened. */
const createDetails = ({ requestHeaders, requestData, responseHeaders, responseBody }) => [
  createCode(`${formatHeaders(requestHeaders)}\n\n${JSON.stringify(requestData, null, 2)}`, 'Request of the webhook'),
  createCode(`${formatHeaders(responseHeaders)}\n\n${responseBody}`, 'Response to the webhook'),
]

const showDetails = async (row, id) => {
  const deliveries = await requestJson('GET', '/deliveries?limit=100')
  const delivery = deliveries.find((candidate) => candidate.id === id)
  if (delivery) row.append(...createDetails(delivery))
}

const hideDetails = (row) => {
  for (const code of row.querySelectorAll('pre')) code.remove()
}

const toggleDetails = async (button, row, id) => {
  const isOpen = button.getAttribute('aria-expanded') === 'true'
  if (isOpen) hideDetails(row)
  else await showDetails(row, id)
  button.setAttribute('aria-expanded', String(!isOpen))
}

const createRow = ({ id, trigger, url, responseStatus, createdAt }) => {
  const button = createElement('button', { type: 'button', className: 'small', textContent: 'Details' })
  button.setAttribute('aria-label', `Details of ${trigger} ${id}`)
  button.setAttribute('aria-expanded', 'false')
  const status = createText(isSuccess(responseStatus) ? 'more' : 'more problem', responseStatus)
  const row = createElement('li', {}, createText('name', trigger), status, button)
  row.append(createText('more target', `${formatInstant(createdAt)} to ${url}`))
  runOnClick(button, () => toggleDetails(button, row, id))
  return row
}

export const renderDeliveries = (deliveries) => renderList('deliveries', deliveries, createRow)
