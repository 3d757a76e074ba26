/** What the tray and the taskbar show for a status: picture, lines, tooltip and progress bar. */
import { describe, expect, it } from 'vitest'
import { hostTexts } from '../../../src-main/electron/texts.ts'
import {
  noteTransfers,
  type Progress,
  taskbarProgress,
  trayLines,
  type Transfers,
  trayState,
  trayTooltip,
} from '../../../src-main/electron/tray-model.ts'
import type { StationEvent } from '../../../src-shared/contract.ts'
import { DAY, HOUR } from '../../../src-shared/durations.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'
import { ALARM, folder, NINE, paused, statusWith, TROUBLE } from './status-with.ts'

const DISK_LOW = failureOf('diskLow')
const DISK_FAILS = failureOf('storage')
const SIGNED_OUT = paused('signedOut')

type Changes = NonNullable<Parameters<typeof statusWith>[0]>

describe('the picture', () => {
  it.each<[Changes, string, number]>([
    [{}, 'idle', 0],
    [{ mode: { kind: 'starting' } }, 'idle', 0],
    [{ counts: { held: 2, collecting: 1, sent: 9, discarded: 4 } }, 'idle', 0],
    [{ counts: { waiting: 2 } }, 'working', 0],
    [{ counts: { sending: 1 } }, 'working', 0],
    [{ service: TROUBLE }, 'offline', 0],
    [{ service: TROUBLE, counts: { waiting: 4 } }, 'offline', 0],
    [{ service: TROUBLE, counts: { waiting: 4, review: 1 } }, 'attention', 1],
    [{ counts: { incomplete: 1, review: 2, unconfirmed: 3, refused: 4, sending: 1 } }, 'attention', 10],
    [{ mode: paused('person'), counts: { waiting: 1 } }, 'paused', 0],
    [{ mode: paused('person'), counts: { refused: 2 }, service: TROUBLE }, 'paused', 2],
    [{ mode: SIGNED_OUT, service: TROUBLE }, 'attention', 0],
    [{ mode: paused('serviceNotSet') }, 'attention', 0],
    [{ folders: [folder('watching'), folder('unreachable')] }, 'attention', 0],
    [{ folders: [folder('taken')] }, 'attention', 0],
    [{ folders: [folder('paused'), folder('starting')] }, 'idle', 0],
    [{ storage: DISK_LOW }, 'attention', 0],
    [{ storage: DISK_LOW, mode: paused('person') }, 'paused', 0],
    [{ storage: DISK_FAILS, mode: paused('person') }, 'attention', 0],
    [{ alarms: [ALARM], mode: paused('person'), counts: { refused: 1 } }, 'attention', 2],
    [{ mode: { kind: 'stopping' }, counts: { sending: 1 } }, 'idle', 0],
  ])('for %j is %s with %i', (changes, mark, attention) => {
    expect(trayState(statusWith(changes))).toMatchObject({ mark, attention })
  })

  it.each<[StationStatus['mode'], string]>([
    [{ kind: 'running' }, 'possible'],
    [paused('person'), 'inForce'],
    // Removing the reason ends it, not a choice in a menu.
    [SIGNED_OUT, 'none'],
    [paused('serviceNotSet'), 'none'],
    [{ kind: 'starting' }, 'none'],
    [{ kind: 'stopping' }, 'none'],
  ])('for %j a pause is %s', (mode, pause) => {
    expect(trayState(statusWith({ mode })).pause).toBe(pause)
  })
})

describe('the lines', () => {
  it.each<[Changes, string, string]>([
    [{}, 'nothing is waiting', 'no hay nada en espera'],
    [{ mode: { kind: 'starting' } }, 'starting', 'arrancando'],
    [{ mode: { kind: 'stopping' } }, 'stopping', 'deteniéndose'],
    [{ counts: { waiting: 2, sending: 1 } }, '3 on the way', '3 en camino'],
    [
      { service: TROUBLE, counts: { waiting: 4 } },
      'no connection to the service, 4 waiting',
      'sin conexión con el servicio, 4 en espera',
    ],
    [{ counts: { unconfirmed: 1 } }, '1 case needs attention', '1 caso requiere atención'],
    [
      { counts: { review: 2, waiting: 1, collecting: 1, held: 1 } },
      '2 cases need attention | 1 on the way | 1 still arriving | 1 on hold',
      '2 casos requieren atención | 1 en camino | 1 llegando todavía | 1 retenido',
    ],
    [
      { mode: paused('person', NINE + HOUR), counts: { waiting: 12 } },
      'sending is paused until 10:00, 12 waiting',
      'envío en pausa hasta: 10:00, 12 en espera',
    ],
    [{ mode: paused('person') }, 'sending is paused', 'envío en pausa'],
    [{ mode: SIGNED_OUT }, 'signed out, nothing is sent', 'sesión cerrada, no se envía nada'],
    [
      { alarms: [ALARM], folders: [folder('unreachable')], storage: DISK_LOW },
      '1 alarm | a camera folder cannot be reached | the disk is nearly full',
      '1 alarma | no se puede acceder a una carpeta de la cámara | el disco está casi lleno',
    ],
    [
      { storage: DISK_FAILS, counts: { refused: 1 } },
      'storage problem, nothing is sent | 1 case needs attention',
      'problema de almacenamiento, no se envía nada | 1 caso requiere atención',
    ],
  ])('for %j read %j', (changes, english, spanish) => {
    expect(trayLines(statusWith(changes), hostTexts('en')).join(' | ')).toBe(english)
    expect(trayLines(statusWith(changes), hostTexts('es')).join(' | ')).toBe(spanish)
  })

  it('name the day of a pause that ends on another one', () => {
    const [line] = trayLines(statusWith({ mode: paused('person', NINE + 2 * DAY) }), hostTexts('en'))
    expect(line).toMatch(/^sending is paused until Mon.*Nov.*09:00$/)
  })

  it.each('collecting incomplete review waiting held sending unconfirmed refused'.split(' '))(
    'never say that nothing waits while a case is on its way or needs a person: %s',
    (state) => {
      const lines = trayLines(statusWith({ counts: { [state]: 1 } }), hostTexts('en'))
      expect(lines.join()).not.toContain('nothing')
    },
  )
})

it.each(['en', 'es'] as const)(
  'the tooltip is one line, as long as Windows shows, and drops what is least urgent: %s',
  (language) => {
    expect(trayTooltip(['2 cases', '1 on the way'])).toBe('Fundus Courier: 2 cases, 1 on the way')
    const worst = statusWith({
      mode: SIGNED_OUT,
      counts: { waiting: 12_345, refused: 23_456, held: 34_567, collecting: 45_678 },
      alarms: Array.from({ length: 12 }, () => ALARM),
      folders: [folder('unreachable')],
      storage: DISK_LOW,
    })
    const lines = trayLines(worst, hostTexts(language))
    const tooltip = trayTooltip(lines)
    expect(tooltip.length).toBeLessThanOrEqual(127)
    expect(tooltip).toContain(lines[0])
    expect(tooltip).not.toContain(lines.at(-1))
    for (const line of lines) expect(`Fundus Courier: ${line}`.length).toBeLessThanOrEqual(127)
  },
)

describe('the bar on the taskbar', () => {
  const NONE: Progress = { kind: 'none' }
  const UNKNOWN: Progress = { kind: 'indeterminate' }
  const at = (kind: 'normal' | 'paused' | 'error', fraction: number): Progress => ({ kind, fraction })
  const SENDING = { counts: { sending: 1 } }
  const WAITING = { counts: { waiting: 1 } }
  type Model = readonly [StationStatus | null, Transfers]
  /** With transfers as bytes uploaded and bytes in all. */
  const model = (changes: Changes, ...transfers: readonly (readonly [number, number])[]): Model => [
    statusWith(changes),
    new Map(
      transfers.map(([handedOverBytes, requestBytes], index) => [
        `s${index}`,
        { handedOverBytes, requestBytes },
      ]),
    ),
  ]

  it.each<[string, Model, Progress, Progress]>([
    ['before the first status', [null, new Map()], NONE, NONE],
    ['with nothing to do', model({}), NONE, NONE],
    ['while cases wait for their turn', model(WAITING), NONE, NONE],
    ['while nothing is known of a transfer', model(SENDING), UNKNOWN, UNKNOWN],
    ['half way', model(SENDING, [50, 100]), at('normal', 0.5), at('normal', 0.5)],
    ['of two transfers', model(SENDING, [100, 100], [20, 300]), at('normal', 0.3), at('normal', 0.3)],
    ['when all is uploaded and no answer came', model(SENDING, [100, 100]), UNKNOWN, UNKNOWN],
    ['right before the end', model(SENDING, [999_999, 1_000_000]), at('normal', 0.99), at('normal', 0.99)],
    ['in a pause with nothing to do', model({ mode: paused('person') }), NONE, NONE],
    ['in a pause while cases wait', model({ mode: paused('person'), ...WAITING }), at('paused', 1), NONE],
    [
      'in a pause while one still goes',
      model({ mode: paused('person'), ...SENDING }, [20, 100]),
      at('paused', 0.2),
      at('normal', 0.2),
    ],
    ['offline with nothing to do', model({ service: TROUBLE }), NONE, NONE],
    ['offline while cases wait', model({ service: TROUBLE, ...WAITING }), at('error', 1), NONE],
    ['signed out while cases wait', model({ mode: SIGNED_OUT, ...WAITING }), at('error', 1), NONE],
    ['on a failing disk', model({ storage: DISK_FAILS, ...WAITING }), at('error', 1), NONE],
    ['on a disk that is nearly full', model({ storage: DISK_LOW, ...WAITING }), NONE, NONE],
  ])('%s', (_name, one, onWindows, elsewhere) => {
    expect(taskbarProgress(...one, 'win32')).toEqual(onWindows)
    expect(taskbarProgress(...one, 'darwin')).toEqual(elsewhere)
    expect(taskbarProgress(...one, 'linux')).toEqual(elsewhere)
  })
})

describe('the transfers', () => {
  const progressed = (id: string, handedOverBytes: number): StationEvent => ({
    name: 'deliveryProgressed',
    revision: 1,
    payload: { id, handedOverBytes, requestBytes: 100, stalledSince: null },
  })
  const changed = (id: string, state: string): StationEvent =>
    ({ name: 'submissionChanged', revision: 1, payload: { id, state } }) as StationEvent
  const statusOf = (sending: number): StationEvent => ({
    name: 'stationChanged',
    revision: 1,
    payload: statusWith({ counts: { sending } }),
  })
  const after = (...events: readonly StationEvent[]): Transfers => {
    const transfers: Transfers = new Map()
    for (const event of events) noteTransfers(transfers, event)
    return transfers
  }
  const TWO = [statusOf(2), progressed('a', 10), progressed('b', 20), progressed('a', 40)]

  it('follow the bytes of each', () => {
    const sending = statusWith({ counts: { sending: 2 } })
    expect(taskbarProgress(sending, after(...TWO), 'linux')).toEqual({ kind: 'normal', fraction: 0.3 })
  })

  const many: StationEvent = { name: 'submissionsChanged', revision: 2, payload: { ids: ['a', 'x'] } }
  it.each<[string, StationEvent[], string[]]>([
    ['one that is over', [changed('b', 'sending'), changed('a', 'sent'), changed('c', 'review')], ['b']],
    ['one that changed with many others', [many], ['b']],
    ['one that changed with many others, until its next bytes', [many, progressed('a', 30)], ['b', 'a']],
    ['all when nothing is being sent', [statusOf(0)], []],
  ])('forget %s', (_what, events, left) => {
    expect([...after(...TWO, ...events).keys()]).toEqual(left)
  })

  it('are drawn again only if an event concerns them', () => {
    const report: StationEvent = {
      name: 'reportArrived',
      revision: 2,
      payload: { caseId: '1', submissionId: 's' },
    }
    const one = after(...TWO)
    for (const event of [changed('x', 'sent'), report]) expect(noteTransfers(one, event)).toBe(false)
  })
})
