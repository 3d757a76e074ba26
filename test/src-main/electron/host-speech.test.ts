import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openLanguageSetting } from '../../../src-main/electron/language-setting.ts'
import { recordingLogger } from './recording-logger.ts'
import { temporaryFolder } from './temporary-folder.ts'

async function speech(given: {
  readonly kept?: string
  readonly asked?: string
  readonly system?: readonly string[]
}) {
  const path = join(await temporaryFolder(), 'language.json')
  if (given.kept !== undefined) await writeFile(path, given.kept)
  const open = () =>
    openLanguageSetting({
      path,
      requested: given.asked ?? null,
      system: given.system ?? ['en-GB'],
      logger: recordingLogger(),
    })
  return { path, open, speech: await open() }
}

it.each([
  [{ system: ['es-MX'] }, 'es'],
  [{ system: ['de'] }, 'en'],
  [{ system: ['es'], asked: 'en' }, 'en'],
  [{ system: ['es'], asked: 'fr' }, 'es'],
  [{ kept: '"es"', asked: 'en', system: ['en'] }, 'es'],
  [{ kept: '"auto"', asked: 'es' }, 'es'],
  [{ kept: '"de"' }, 'en'],
  [{ kept: '{"broken' }, 'en'],
])('with %j it speaks %s', async (given, language) => {
  expect((await speech(given)).speech.texts().language).toBe(language)
})

it('follows what is chosen on the screens, and still does after a restart', async () => {
  const { speech: spoken, open, path } = await speech({ system: ['en'] })
  const heard: string[] = []
  spoken.onChanged(() => heard.push(spoken.texts().t('tray.quit')))
  spoken.choose('es')
  expect(heard).toEqual(['Salir'])
  await vi.waitFor(async () => expect(await readFile(path, 'utf8')).toBe('"es"'), { timeout: 10_000 })
  expect((await open()).texts().language).toBe('es')
  spoken.choose('auto')
  expect(heard).toEqual(['Salir', 'Quit'])
})

it('changes nothing for what is no language', async () => {
  const { speech: spoken } = await speech({ system: ['en'] })
  const heard: string[] = []
  spoken.onChanged(() => heard.push('changed'))
  for (const choice of ['de', 7, null, { language: 'es' }, 'en', 'auto']) spoken.choose(choice)
  expect(heard).toEqual([])
})
