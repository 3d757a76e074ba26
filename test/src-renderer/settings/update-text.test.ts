import { describe, expect, it } from 'vitest'
import { updateText } from '../../../src-renderer/settings/about.tsx'
import {
  UPDATE_PROBLEMS,
  UPDATE_REFUSALS,
  UPDATE_WAITS,
  UPDATES_OFF,
  type UpdateState,
} from '../../../src-shared/desktop.ts'
import { speak } from '../speak.ts'

const version = '0.2.0'
const STATES: readonly UpdateState[] = [
  ...UPDATES_OFF.map((why) => ({ kind: 'off', why }) as const),
  { kind: 'current', lookedAt: null, trouble: null },
  { kind: 'current', lookedAt: Date.UTC(2026, 10, 21, 9), trouble: null },
  { kind: 'looking' },
  { kind: 'fetching', version, percent: 40 },
  ...UPDATE_REFUSALS.map((why) => ({ kind: 'refused', version, why }) as const),
  ...UPDATE_WAITS.map((waitsFor) => ({ kind: 'ready', version, waitsFor, trouble: null }) as const),
  ...UPDATE_PROBLEMS.map((trouble) => ({ kind: 'ready', version, waitsFor: 'word', trouble }) as const),
  { kind: 'installing', version },
]

describe('what is said of an update', () => {
  it('never calls a version the newest before it was looked for one', () => {
    expect(updateText({ kind: 'current', lookedAt: null, trouble: 'unreachable' })).toMatchObject({
      title: 'It is not known whether there is a newer version.',
      trouble: expect.stringContaining('could not be reached'),
    })
  })

  it('is its own in every state and in both languages', async () => {
    const said = (): readonly string[] => STATES.map((state) => JSON.stringify(updateText(state)))
    const english = said()
    await speak('es')
    const spanish = said()
    await speak('en')
    for (const texts of [english, spanish]) {
      expect(new Set(texts).size).toBe(STATES.length)
      expect(texts.filter((text) => /settings:|\{\{/.test(text))).toEqual([])
    }
    expect(english.filter((text) => spanish.includes(text))).toEqual([])
  })
})
