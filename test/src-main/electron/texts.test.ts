/** The language of the tray, the notices and the dialogs, and what a second start says in it. */
import { EventEmitter } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  describeSecondStart,
  hostTexts,
  onSecondStart,
  openLanguageSetting,
} from '../../../src-main/electron/texts.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

async function setting(
  options: { readonly saved?: string; readonly requested?: string; readonly system?: readonly string[] } = {},
) {
  const { saved, requested = null, system = ['en-GB'] } = options
  const path = join(temporaryFolder(), 'language.json')
  if (saved !== undefined) await writeFile(path, saved)
  const open = () => openLanguageSetting({ path, requested, system, logger: createRecordingLogger() })
  return { path, open, language: await open() }
}

it.each([
  [{ system: ['es-MX'] }, 'es'],
  [{ system: ['de'] }, 'en'],
  [{ system: ['es'], requested: 'en' }, 'en'],
  [{ system: ['es'], requested: 'fr' }, 'es'],
  [{ saved: '"es"', requested: 'en', system: ['en'] }, 'es'],
  [{ saved: '"auto"', requested: 'es' }, 'es'],
  [{ saved: '"de"' }, 'en'],
  [{ saved: '{"broken' }, 'en'],
])('with %j it is %s', async (options, expected) => {
  expect((await setting(options)).language.texts().language).toBe(expected)
})

it('follows the choice on the screens, still does after a restart, and ignores what is no language', async () => {
  const { language, open, path } = await setting()
  const quit: string[] = []
  language.onChanged(() => quit.push(language.texts().t('tray.quit')))
  for (const choice of ['de', 7, null, { language: 'es' }, 'en', 'auto']) language.choose(choice)
  expect(quit).toEqual([])
  language.choose('es')
  // The latest choice is the one that stays, however fast they follow one another.
  const saved = expect.poll(() => readFile(path, 'utf8').catch(() => ''))
  await saved.toBe('"es"')
  expect((await open()).texts().language).toBe('es')
  language.choose('auto')
  await saved.toBe('"auto"')
  expect(quit).toEqual(['Salir', 'Quit'])
})

it.each([
  ['en', 1, '1 case is not sent yet'],
  ['en', 0, '0 cases are not sent yet'],
  ['es', 1, '1 caso aún no se ha enviado'],
  ['es', 1_000_000, '1000000 casos aún no se han enviado'],
] as const)('counts by the rules of %s: %i', (language, count, expected) => {
  expect(hostTexts(language).t('life.quitTitle', { count })).toBe(expected)
})

it('shows parameters as they are, whatever they hold', () => {
  const lockPath = 'C:\\Datos <b>&"\\$t(tray.quit) {{hostName}}'
  expect(hostTexts('es').t('life.otherHost', { hostName: 'camera-pc', lockPath })).toContain(lockPath)
})

it('a second start shows the window of the first, unless it is the one at login', () => {
  const app = new EventEmitter()
  const logger = createRecordingLogger()
  let shown = 0
  onSecondStart(app, logger, () => (shown += 1))
  app.emit('second-instance', {}, ['fundus-courier'])
  app.emit('second-instance', {}, ['fundus-courier', '--hidden'])
  app.emit('activate')
  expect(shown).toBe(2)
  expect(logger.lines.map(({ facts }) => facts['isWindowShown'])).toEqual([true, false])
})

it.each([
  [{ kind: 'silent', pid: 4_711 }, /4711/],
  [{ kind: 'otherAccount', pid: 4_711 }, /4711/],
  [
    { kind: 'otherHost', hostName: 'camera-pc', lockPath: '/a/SingletonLock' },
    /camera-pc.*\/a\/SingletonLock/,
  ],
] as const)('a second start that cannot show it names what holds the lock: %j', (why, holder) => {
  for (const language of ['en', 'es'] as const) {
    const sentence = describeSecondStart(why, hostTexts(language))
    expect(sentence).toMatch(holder)
    expect(sentence).toMatch(/All cases are kept|Se conservan todos los casos/)
  }
})
