/** No statement of a screen, of a decision or of taking in a visit reads more because more was sent before. */
import { expect, it } from 'vitest'
import type { CallName } from '../../../../src-shared/contract.ts'
import { SUBMISSION_STATES } from '../../../../src-shared/states.ts'
import { growing, recordStatements } from '../../../tools/growing-statements.ts'
import { startAttempt } from '../../../tools/outbox-with.ts'
import { casesWith, picture } from '../cases/cases-with.ts'
import { addCase, partsWith } from './parts-with.ts'

type Call = readonly [name: CallName, input?: object]

const lists = SUBMISSION_STATES.map((state): Call => ['submissions.list', { states: [state], limit: 50 }])
const SCREENS: readonly Call[] = [
  ['station.status'],
  ['submissions.list', { limit: 50 }],
  ...lists,
  ['submissions.ageing'],
  ['reports.list'],
  ['centers.list'],
  ['audit.list'],
]
const DECISIONS = ['approve', 'hold', 'release', 'discard', 'restore', 'moveToCenter'] as const

/** What of these calls grows. */
async function growingIn(acts: (ids: readonly string[]) => readonly Call[]) {
  const test = await partsWith()
  const statements = recordStatements()
  const ids = [addCase(test, 'review'), addCase(test, 'review'), addCase(test, 'sent')]
  for (const [name, input = {}] of acts(ids)) {
    const answer = await test.call(name, input)
    expect([name, answer]).toMatchObject([name, { ok: true }])
    expect([name, answer.ok && answer.value]).not.toMatchObject([name, { refused: [{}] }])
  }
  return growing(statements())
}

it('a screen reads nothing of what was sent before', async () => {
  expect(await growingIn(([id]) => [...SCREENS, ['submissions.get', { id }]])).toEqual({})
})

it('a decision reads nothing of what was sent before', async () => {
  const found = await growingIn(([first, second]) => [
    ['submissions.merge', { ids: [first, second], by: 'AB' }],
    ['submissions.update', { id: first, fields: { last_name: 'Quixwood' } }],
    ...DECISIONS.map((name): Call => [
      `submissions.${name}`,
      { ids: [first], by: 'AB', seen: undefined, centerId: '101' },
    ]),
  ])
  expect(found).toEqual({})
})

it('a visit that is taken in and closed reads nothing of what was sent before', async () => {
  const world = casesWith()
  await world.watch()
  const statements = recordStatements()
  await world.arrive('501288_20261120_OD.png')
  await world.arrive('501288_20261120_OS.png')
  await world.arrive('501288_20261120.json', JSON.stringify({ history_number: '501288' }))
  world.gone('501288_20261120_OS.png')
  // What an offer of names shows.
  world.test.outbox.currentReadings(world.camera, 50)
  await world.quiet()
  const [one] = world.open()
  expect(one?.images).toHaveLength(2)
  expect(growing(statements())).toEqual({})
})

it('a data file that contradicts a case by the name of a late copy reads nothing of what was sent before', async () => {
  const world = casesWith({ sendWithoutReview: true })
  await world.watch()
  const statements = recordStatements()
  const bytes = await picture()
  const stated = { visit_date: '2026-11-20', eye: 'OD' }
  await world.arrive('a/K1.json', JSON.stringify({ ...stated, history_number: 'H-00101' }))
  await world.arrive('a/K1.png', bytes)
  await world.quiet()
  startAttempt(world.test, world.open()[0]?.id ?? '')
  await world.arrive('b/K9.png', bytes)
  await world.arrive('b/K9.json', JSON.stringify({ ...stated, history_number: 'H-00202' }))
  expect(world.test.outbox.openAlarms()).toHaveLength(1)
  expect(growing(statements())).toEqual({})
})
