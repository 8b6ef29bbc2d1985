/** The active faults, and a form that adds one. */

import { announce, createButton, createElement, createText, find, formatCount, renderList, runOnClick } from './dom.js'
import { requestJson } from './server.js'

/** The effects of the form: what the number means, its first value, and the fault. */
const effects = {
  status: { label: 'Status', value: 503, create: (number) => ({ status: number }) },
  delay: { label: 'Milliseconds', value: 2_000, create: (number) => ({ delay: number }) },
  rateLimit: { label: 'Retry after, seconds', value: 60, create: (number) => ({ rateLimit: { retryAfter: number } }) },
  connection: { create: () => ({ cut: 'connection' }) },
  body: { create: () => ({ cut: 'body' }) },
}

const describeCut = (cut) => (cut === 'body' ? 'cuts the body' : 'cuts the connection')

const describeEffect = ({ status, body, delay, cut, rateLimit, phase }) =>
  [
    rateLimit !== undefined && 'rate limit',
    status !== undefined && `status ${status}`,
    status === undefined && body !== undefined && 'its own body',
    delay !== undefined && `waits ${delay} ms`,
    cut !== undefined && describeCut(cut),
    phase === 'after' && 'after the request is processed',
  ]
    .filter(Boolean)
    .join(', ')

const describeSelection = ({ skip, times, every, probability }) =>
  [
    skip !== undefined && `skips ${skip}`,
    times !== undefined && `at most ${formatCount(times, 'time')}`,
    every !== undefined && `every ${every}`,
    probability !== undefined && `probability ${probability}`,
  ]
    .filter(Boolean)
    .map((text) => `; ${text}`)
    .join('')

const createFaultRow = ({ id, seen, hit, fault }) =>
  createElement(
    'li',
    {},
    createElement('code', { className: 'name', textContent: fault.on ?? 'All requests' }),
    createButton('End', `End fault ${id}`, async () => {
      await requestJson('DELETE', `/faults/${id}`)
      announce(`Fault ${id} has ended`)
    }),
    createText('more', `Fault ${id}: ${describeEffect(fault)}${describeSelection(fault)}`),
    createText('more', seen === 0 ? 'No matching requests yet' : `${hit} of ${formatCount(seen, 'request')} hit`),
  )

export const renderFaults = (faults) => {
  renderList('faults', faults, createFaultRow)
  find('end-faults').hidden = faults.length < 2
}

const renderNumber = () => {
  const { label, value } = effects[find('fault-effect').value]
  find('fault-number-label').hidden = label === undefined
  find('fault-number').required = label !== undefined
  find('fault-number-text').textContent = label ?? ''
  find('fault-number').value = value ?? ''
}

const createFault = () => {
  const on = find('fault-on').value.trim()
  const times = find('fault-times').value
  return {
    ...(on && { on }),
    ...effects[find('fault-effect').value].create(Number(find('fault-number').value)),
    ...(times && { times: Number(times) }),
  }
}

export const startFaults = () => {
  renderNumber()
  find('fault-effect').addEventListener('change', renderNumber)
  find('fault-form').addEventListener('submit', async (event) => {
    event.preventDefault()
    find('fault-problem').textContent = ''
    try {
      const { id } = await requestJson('POST', '/faults', createFault())
      announce(`Fault ${id} is active`)
    } catch (error) {
      find('fault-problem').textContent = error.message
      find('fault-on').focus()
    }
  })
  runOnClick(find('end-faults'), async () => {
    await requestJson('DELETE', '/faults')
    announce('All faults have ended')
  })
}
