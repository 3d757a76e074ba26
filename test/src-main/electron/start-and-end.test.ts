import { EventEmitter } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createCloseExplainer } from '../../../src-main/electron/dialogs.ts'
import { describeSecondStart, onSecondStart } from '../../../src-main/electron/language-setting.ts'
import { hostTexts } from '../../../src-main/electron/texts.ts'
import { countPending, quitQuestion } from '../../../src-main/electron/shutdown.ts'
import { status } from '../../src-shared/value-samples.ts'
import { recordingLogger } from './recording-logger.ts'
import { temporaryFolder } from './temporary-folder.ts'

const LANGUAGES = ['en', 'es'] as const

describe('the question whether to quit', () => {
  it.each(LANGUAGES)(
    'has the safe answer first, and offers to send first only where that can end (%s)',
    (language) => {
      const texts = hostTexts(language)
      const { t } = texts
      const sending = quitQuestion({ count: 2, isSending: true }, texts)
      expect(sending.message).toBe(t('life.quitTitle', { count: 2 }))
      expect(sending.choices).toEqual([
        { choice: 'keepRunning', label: t('life.keepRunning') },
        { choice: 'quitNow', label: t('life.quitNow') },
        { choice: 'sendFirst', label: t('life.sendFirst') },
      ])
      const stuck = quitQuestion({ count: 1, isSending: false }, texts)
      expect(stuck.choices.map(({ choice }) => choice)).toEqual(['keepRunning', 'quitNow'])
      expect(stuck.message).not.toContain('1 ')
    },
  )

  it('counts what waits and what is being sent', () => {
    const counts = { ...status.counts, waiting: 3, sending: 2, review: 9, unconfirmed: 1 }
    const reachable = { ...status.service, health: 'reachable' } as const
    const running = { mode: { kind: 'running' }, counts, service: reachable } as const
    expect(countPending(running)).toEqual({ count: 5, isSending: true })
    expect(countPending({ ...running, mode: { kind: 'paused', why: 'person', until: null } })).toEqual({
      count: 5,
      isSending: false,
    })
    expect(countPending({ ...running, service: { ...reachable, health: 'trouble' } }).isSending).toBe(false)
  })
})

describe('a second start', () => {
  it('shows the window of the first, but for the one at login', () => {
    const app = new EventEmitter()
    const logger = recordingLogger()
    let shown = 0
    onSecondStart(app, logger, () => (shown += 1))
    app.emit('second-instance', {}, ['fundus-courier'])
    app.emit('second-instance', {}, ['fundus-courier', '--hidden'])
    app.emit('activate')
    expect(shown).toBe(2)
    expect(logger.lines.map(({ facts }) => facts)).toEqual([
      { isWindowShown: true },
      { isWindowShown: false },
    ])
  })

  it.each(LANGUAGES)(
    'that cannot show it says what holds it and that all cases are kept (%s)',
    (language) => {
      const texts = hostTexts(language)
      const sentences = [
        describeSecondStart({ kind: 'silent', pid: 4_711 }, texts),
        describeSecondStart({ kind: 'otherAccount', pid: 4_711 }, texts),
        describeSecondStart(
          { kind: 'otherHost', hostName: 'camera-pc', lockPath: '/a/SingletonLock' },
          texts,
        ),
      ]
      expect(sentences[0]).toContain('4711')
      expect(sentences[1]).toContain('4711')
      expect(sentences[2]).toMatch(/camera-pc.*\/a\/SingletonLock/)
      for (const sentence of sentences)
        expect(sentence).toMatch(/All cases are kept|Se conservan todos los casos/)
    },
  )
})

describe('closing the window', () => {
  it('is explained the first time, and never again, also after a restart', async () => {
    const folder = await temporaryFolder()
    let explained = 0
    const open = () =>
      createCloseExplainer({
        path: join(folder, 'account', 'close-explained.json'),
        logger: recordingLogger(),
        explain: () => Promise.resolve((explained += 1)),
      })
    const closed = open()
    await Promise.all([closed(), closed()])
    await open()()
    expect(explained).toBe(1)
    expect(readdirSync(join(folder, 'account'))).toEqual(['close-explained.json'])
  })

  it('is explained again where nobody has seen it', async () => {
    const path = join(await temporaryFolder(), 'close-explained.json')
    const logger = recordingLogger()
    const failing = createCloseExplainer({ path, logger, explain: () => Promise.reject(new Error('killed')) })
    await expect(failing()).rejects.toThrow('killed')
    let explained = 0
    await createCloseExplainer({ path, logger, explain: () => Promise.resolve((explained += 1)) })()
    expect(explained).toBe(1)
  })
})
