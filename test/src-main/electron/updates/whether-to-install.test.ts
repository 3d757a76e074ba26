import { describe, expect, it } from 'vitest'
import {
  whetherToInstall,
  type UpdateMoment,
} from '../../../../src-main/electron/updates/whether-to-install.ts'

/** At night: nothing is sent, nobody is there. */
const NIGHT: UpdateMoment = {
  wanted: 'quietMoment',
  asked: 'not',
  sending: 0,
  editor: 'none',
  person: 'away',
  rights: 'enough',
  backup: 'fresh',
  tried: 'never',
}

const restarts = { kind: 'install', after: 'restart' }
const leaves = { kind: 'install', after: 'leave' }
const waits = (what: string) => ({ kind: 'wait', for: what })

describe('an update that is ready', () => {
  it.each<[string, Partial<UpdateMoment>, object]>([
    ['is installed at a quiet moment', {}, restarts],
    ['waits while a case is being sent', { sending: 1 }, waits('sending')],
    ['waits while a case is being edited', { editor: 'open' }, waits('editor')],
    ['waits while somebody is at the screens', { person: 'there' }, waits('person')],
    ['waits for a word where the settings say so', { wanted: 'byHand' }, waits('word')],
    [
      'waits for an administrator, whom nobody could fetch at night',
      { rights: 'administrator' },
      waits('administrator'),
    ],
    ['waits for a word where it came to nothing before', { tried: 'inVain' }, waits('word')],
    ['makes its copy itself, so an old one stops nothing', { backup: 'old' }, restarts],

    [
      'is installed at a person’s word beside an editor',
      { asked: 'now', editor: 'open', person: 'there' },
      restarts,
    ],
    ['waits for the end of sending also at a person’s word', { asked: 'now', sending: 2 }, waits('sending')],
    [
      'waits for an administrator also at a person’s word, who could only refuse the question of the system',
      { asked: 'now', rights: 'administrator' },
      waits('administrator'),
    ],
    [
      'is installed at a person’s word where that is what was wanted',
      { asked: 'now', wanted: 'byHand' },
      restarts,
    ],
    ['is tried again at a person’s word', { asked: 'now', tried: 'inVain' }, restarts],

    [
      'is installed when the app is quit, and does not bring it back',
      { asked: 'quit', person: 'there' },
      leaves,
    ],
    [
      'lets the app be quit without it where the copy is old',
      { asked: 'quit', backup: 'old' },
      waits('person'),
    ],
    [
      'lets the app be quit without it where it is wanted by hand',
      { asked: 'quit', wanted: 'byHand' },
      waits('word'),
    ],
    [
      'asks nobody for an administrator at a quit',
      { asked: 'quit', rights: 'administrator' },
      waits('administrator'),
    ],
    ['is not tried again at a quit', { asked: 'quit', tried: 'inVain' }, waits('word')],
  ])('%s', (_name, moment, decision) => {
    expect(whetherToInstall({ ...NIGHT, ...moment })).toEqual(decision)
  })

  it('is never installed while a case is being sent, whatever else is true', () => {
    for (const wanted of ['quietMoment', 'byHand', 'off'] as const)
      for (const asked of ['not', 'now'] as const)
        for (const tried of ['never', 'inVain'] as const)
          expect(whetherToInstall({ ...NIGHT, wanted, asked, tried, sending: 1 }).kind).toBe('wait')
  })

  it('is never installed where it was switched off, but at a person’s word', () => {
    for (const asked of ['not', 'quit'] as const)
      expect(whetherToInstall({ ...NIGHT, wanted: 'off', asked })).toEqual(waits('word'))
  })
})
