/** The clock of the world. A running clock advances on the page between two responses. */

import { announce, find, formatCount, formatInstant, runOnClick } from './dom.js'
import { requestJson } from './server.js'

let clock

const renderTime = () => {
  if (!clock) return
  const now = clock.frozen ? clock.at : clock.at + (performance.now() - clock.receivedAt)
  const text = formatInstant(now)
  if (find('now').textContent === text) return
  find('now').textContent = text
  find('now').dateTime = new Date(now).toISOString()
}

export const renderClock = ({ now, frozen }) => {
  clock = { at: Date.parse(now), frozen, receivedAt: performance.now() }
  find('clock-state').textContent = frozen ? 'frozen' : 'running'
  find('freeze').textContent = frozen ? 'Unfreeze' : 'Freeze'
  if (find('instant').value === '') find('instant').value = now.slice(0, 19)
  renderTime()
}

export const startClock = () => {
  setInterval(renderTime, 250)
  runOnClick(find('freeze'), async () => renderClock(await requestJson('PUT', '/clock', { frozen: !clock.frozen })))
  for (const button of document.querySelectorAll('[data-advance]')) {
    runOnClick(button, async () => {
      const { jobs, ...time } = await requestJson('POST', '/clock/advance', { [button.dataset.advance]: 1 })
      renderClock(time)
      announce(`The time is ${formatInstant(time.now)}; ${formatCount(jobs, 'job')} ran`)
    })
  }
  find('set-clock').addEventListener('submit', async (event) => {
    event.preventDefault()
    try {
      renderClock(await requestJson('PUT', '/clock', { at: `${find('instant').value}Z` }))
      announce(`The time is ${find('now').textContent}`)
    } catch (error) {
      announce(error.message)
    }
  })
}
