import { boxHeight, drawFlowDiagram } from './flow-diagram.ts'

const rows = { test: 34, forge: 150, platform: 262, data: 358 }

/** The layers of a fake forge. */
export const fixturesDiagram = (): string =>
  drawFlowDiagram({
    title: 'The layers of a fake forge',
    description:
      'The client under test sends requests to fakeForge by fetch or through a port; the test controls it with test data, clock, faults and journal. ' +
      'fakeForge runs the real platform on a copy of a seeded SQLite database in memory. The seeded database is created once per process and seed.',
    height: 426,
    frames: [{ x: 160, y: 118, width: 599, height: 306, title: 'fakeForge()' }],
    boxes: [
      { x: 1, y: rows.test, width: 140, title: 'Test' },
      { x: 460, y: rows.test, width: 280, title: 'Client under test', details: ['bot, tool, library'] },
      { x: 180, y: rows.forge, width: 240, title: 'Controls', details: ['make, clock, faults, journal, reset'] },
      { x: 460, y: rows.forge, width: 280, title: 'HTTP API', details: ['journal and faults as middleware'] },
      { x: 460, y: rows.platform, width: 280, title: 'Platform', details: ['policy, operations, events, jobs'] },
      {
        x: 460,
        y: rows.data,
        width: 280,
        title: 'SQLite database in memory',
        details: ['a copy for each forge and reset'],
      },
      { x: 180, y: rows.data, width: 240, title: 'Seeded database', details: ['created once per process and seed'] },
      { x: 1, y: rows.data, width: 140, title: 'Seed', details: ['demo data, or yours'] },
    ],
    arrows: [
      {
        points: [
          [140, rows.test + boxHeight / 2],
          [460, rows.test + boxHeight / 2],
        ],
        label: { x: 262, y: 54, text: 'calls' },
      },
      {
        points: [
          [600, rows.test + boxHeight],
          [600, rows.forge],
        ],
        label: { x: 608, y: 110, text: 'fetch, or a port' },
      },
      {
        points: [
          [70, rows.test + boxHeight],
          [70, rows.forge + boxHeight / 2],
          [180, rows.forge + boxHeight / 2],
        ],
      },
      {
        points: [
          [300, rows.forge + boxHeight],
          [300, rows.platform + boxHeight / 2],
          [460, rows.platform + boxHeight / 2],
        ],
      },
      {
        points: [
          [600, rows.forge + boxHeight],
          [600, rows.platform],
        ],
      },
      {
        points: [
          [600, rows.platform + boxHeight],
          [600, rows.data],
        ],
      },
      {
        points: [
          [420, rows.data + boxHeight / 2],
          [460, rows.data + boxHeight / 2],
        ],
        label: { x: 424, y: 380, text: 'copy' },
      },
      {
        points: [
          [140, rows.data + boxHeight / 2],
          [180, rows.data + boxHeight / 2],
        ],
      },
    ],
  })
