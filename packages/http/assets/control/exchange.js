/** The details of a request. */

import { copyText, createButton, createCode, createElement } from './dom.js'
import { requestJson } from './server.js'

const formatJson = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const formatValue = (value) => (typeof value === 'string' ? value : JSON.stringify(value))

const createHeading = (textContent) => createElement('h3', { textContent })

const createDefinitions = (pairs) =>
  createElement(
    'dl',
    {},
    ...pairs.flatMap(([name, value]) => [
      createElement('dt', { textContent: name }),
      createElement('dd', { textContent: value }),
    ]),
  )

const createHeaders = ({ headers }, owner) => {
  const pairs = Object.entries(headers)
  if (pairs.length === 0) return []
  const summary = createElement('summary', { textContent: `${owner} headers (${pairs.length})` })
  return [createElement('details', {}, summary, createDefinitions(pairs))]
}

const describeBody = ({ body, size, truncated }) => {
  if (size === null) return 'The journal does not record streamed bodies.'
  return truncated ? `The journal has the first ${body.length} characters of ${size} bytes.` : undefined
}

const createBody = (message, label) => {
  const note = describeBody(message)
  return [
    ...(message.body === '' ? [] : [createCode(formatJson(message.body), label)]),
    ...(note === undefined ? [] : [createElement('p', { className: 'note', textContent: note })]),
  ]
}

const createParameters = ({ path, query, body }) => {
  const pairs = Object.entries({ path, query, body }).flatMap(([part, values]) =>
    Object.entries(values).map(([name, value]) => [`${name} (${part})`, formatValue(value)]),
  )
  return pairs.length ? [createHeading('Parameters'), createDefinitions(pairs)] : []
}

const createCommand = ({ curl, caller }) => {
  if (curl === null) {
    const text = 'No command: the journal does not have the whole body as text.'
    return [createHeading('curl'), createElement('p', { className: 'note', textContent: text })]
  }
  const code = createCode(curl, 'Command')
  const button = createButton('Copy', 'Copy the command', () => copyText(curl, 'the command', code))
  const owner = caller === null ? '' : ` of ${caller}`
  return [
    createElement('div', { className: 'title' }, createHeading('curl'), button),
    code,
    ...(curl.includes('$TOKEN')
      ? [createElement('p', { className: 'note', textContent: `TOKEN is a token${owner}.` })]
      : []),
  ]
}

const createOverview = ({ caller, route, operation, refusal, unsupported, fault, requestId }) =>
  createDefinitions(
    [
      ['Caller', caller ?? 'not authenticated'],
      ['Refused', refusal],
      ['Parameters without effect', unsupported.length ? unsupported.join(', ') : null],
      ['Fault', fault === null ? null : `Fault ${fault} affected the response`],
      ['Route', route ?? 'none: the server does not have this route'],
      ['Operation', operation],
      ['Request id', requestId],
    ].filter(([, value]) => value !== null),
  )

const createDetails = (exchange) => [
  createOverview(exchange),
  ...createParameters(exchange.parameters),
  ...createCommand(exchange),
  createHeading('Request'),
  ...createHeaders(exchange.request, 'Request'),
  ...createBody(exchange.request, 'Request body'),
  createHeading('Response'),
  ...createHeaders(exchange.response, 'Response'),
  ...createBody(exchange.response, 'Response body'),
]

/** Loads the details of a request into an element. */
export const loadDetails = async (id, element) => {
  try {
    element.replaceChildren(...createDetails(await requestJson('GET', `/journal/${id}`)))
  } catch (error) {
    element.replaceChildren(createElement('p', { className: 'note', textContent: error.message }))
  }
}
