/** The event stream of the control plane. */

import { find } from './dom.js'
import { sendRequest } from './server.js'

/** Parses one event (HTML standard, section 9.2.6); each field is one line. */
const parseEvent = (block) =>
  Object.fromEntries(
    block
      .split('\n')
      .filter((line) => line.includes(': '))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(': ') + 2)]),
  )

const renderConnection = (state, text) => {
  const connection = find('connection')
  if (connection.dataset.state === state && find('connection-text').textContent === text) return
  connection.dataset.state = state
  find('connection-text').textContent = text
}

export const isConnected = () => find('connection').dataset.state === 'live'

const readStream = async (after, handlers) => {
  // An EventSource could send the token only in the URL.
  const { body } = await sendRequest('GET', `/events?after=${after}`)
  renderConnection('live', 'Live')
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return
    const blocks = (text + value).split('\n\n')
    text = blocks.pop()
    for (const block of blocks) {
      const { event, data } = parseEvent(block)
      handlers[event]?.(JSON.parse(data))
    }
  }
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Reads events and reconnects after an interruption.
 *
 * @param load loads the state before each connection, and resolves to the number of the newest request
 */
export const followEvents = async (load, handlers) => {
  for (;;) {
    const problem = await load()
      .then((after) => readStream(after, handlers))
      .then(
        () => 'The server has closed the connection',
        (error) => (error instanceof TypeError ? 'The server does not respond' : error.message),
      )
    renderConnection('lost', `${problem}; reconnecting`)
    await pause(2_000)
  }
}
