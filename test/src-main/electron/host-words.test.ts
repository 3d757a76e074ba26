import { expect, it } from 'vitest'
import { hostTexts } from '../../../src-main/electron/texts.ts'

it.each([
  ['en', 1, 'One case is not sent yet'],
  ['en', 0, '0 cases are not sent yet'],
  ['en', 3, '3 cases are not sent yet'],
  ['es', 1, 'Un caso aún no se ha enviado'],
  ['es', 3, '3 casos aún no se han enviado'],
  ['es', 1_000_000, '1000000 casos aún no se han enviado'],
] as const)('counts by the rules of %s: %i', (language, count, expected) => {
  expect(hostTexts(language).t('life.quitTitle', { count })).toBe(expected)
})

it('shows parameters as they are, whatever they hold', () => {
  const lockPath = 'C:\\Datos <b>&"\\$t(tray.quit) {{hostName}}'
  expect(hostTexts('es').t('life.otherHost', { hostName: 'camera-pc', lockPath })).toContain(lockPath)
})
