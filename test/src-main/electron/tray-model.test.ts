/** What the tray shows for a status: picture, lines and tooltip. */
import { describe, expect, it } from 'vitest'
import { hostTexts } from '../../../src-main/electron/texts.ts'
import { trayLines, trayState, trayTooltip } from '../../../src-main/electron/tray-model.ts'
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
    [{}, 'nothing waiting', 'nada en espera'],
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
      'sending paused until 10:00, 12 waiting',
      'envío en pausa hasta: 10:00, 12 en espera',
    ],
    [{ mode: paused('person') }, 'sending paused', 'envío en pausa'],
    [{ mode: SIGNED_OUT }, 'signed out, nothing is sent', 'sesión cerrada, no se envía nada'],
    [
      { alarms: [ALARM], folders: [folder('unreachable')], storage: DISK_LOW },
      '1 alarm | camera folder not reachable | disk nearly full',
      '1 alarma | carpeta de la cámara inaccesible | disco casi lleno',
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
    expect(line).toMatch(/^sending paused until Mon.*Nov.*09:00$/)
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
