import { type Box, boxHeight, drawFlowDiagram } from './flow-diagram.ts'

const rows = { http: 34, application: 118, checks: 246, result: 352, listeners: 440 }

const checks: readonly (readonly [string, string])[] = [
  ['Authentication', '401'],
  ['Scope, tier', '403'],
  ['Input', '400'],
  ['Subject', '404'],
  ['Permission', '403'],
  ['Operation', '409, 422'],
]

const checkWidth = 112
const checkDistance = 126

const checkBoxes: readonly Box[] = checks.map(([title, status], at) => ({
  x: 10 + at * checkDistance,
  y: rows.checks,
  width: checkWidth,
  title,
  details: [status],
}))

const middle = (y: number) => y + boxHeight / 2

/** The path of a request through the HTTP adapter and the executor. */
export const requestPathDiagram = (): string =>
  drawFlowDiagram({
    title: 'The path of a request',
    description:
      'An HTTP client sends a request to the server, which passes it through middleware to the router. The router, like application code, calls an operation. ' +
      'The executor checks authentication, scope and tier, input, subject and permission in this order and runs the operation; the first failed check determines the status. ' +
      'After the commit, the result is returned as a response, and listeners and jobs run.',
    height: 508,
    frames: [{ x: 1, y: 212, width: 758, height: 104, title: 'Executor: one transaction per call' }],
    boxes: [
      { x: 1, y: rows.http, width: 150, title: 'HTTP client' },
      { x: 203, y: rows.http, width: 150, title: 'Server', details: ['limits, request id'] },
      { x: 406, y: rows.http, width: 150, title: 'Middleware', details: ['in tests: journal, faults'] },
      { x: 609, y: rows.http, width: 150, title: 'Router', details: ['route, parameters'] },
      { x: 1, y: rows.application, width: 150, title: 'Application code', details: ['platform.as(…)'] },
      ...checkBoxes,
      { x: 609, y: rows.result, width: 150, title: 'Commit' },
      { x: 406, y: rows.result, width: 150, title: 'Result or error', details: ['returned to the code'] },
      { x: 203, y: rows.result, width: 150, title: 'Response', details: ['status, JSON, headers'] },
      { x: 1, y: rows.result, width: 150, title: 'HTTP client' },
      { x: 609, y: rows.listeners, width: 150, title: 'Listeners and jobs', details: ['after the commit'] },
    ],
    arrows: [
      ...[151, 353, 556].map((x) => ({
        points: [
          [x, middle(rows.http)],
          [x + 53, middle(rows.http)],
        ] as const,
      })),
      {
        points: [
          [684, rows.http + boxHeight],
          [684, 194],
          [100, 194],
          [100, 212],
        ],
      },
      {
        points: [
          [66, rows.application + boxHeight],
          [66, 212],
        ],
      },
      ...checkBoxes.slice(1).map(({ x }) => ({
        points: [
          [x - checkDistance + checkWidth, middle(rows.checks)],
          [x, middle(rows.checks)],
        ] as const,
      })),
      {
        points: [
          [696, rows.checks + boxHeight],
          [696, rows.result],
        ],
      },
      ...[609, 406, 203].map((x) => ({
        points: [
          [x, middle(rows.result)],
          [x - 53, middle(rows.result)],
        ] as const,
      })),
      {
        points: [
          [684, rows.result + boxHeight],
          [684, rows.listeners],
        ],
      },
    ],
  })
