import { describe, expect, it } from 'vitest'
import { hostTexts } from '../../../src-main/electron/texts.ts'
import { requireSandbox } from '../../../src-main/electron/window-security.ts'

const started = (isPackaged: boolean, ...switches: string[]) => ({
  isPackaged,
  commandLine: { hasSwitch: (name: string) => switches.includes(name) },
})

describe('the sandbox', () => {
  it('is required of an installed app, whoever switched it off', () => {
    expect(() => requireSandbox(started(true, 'no-sandbox'), hostTexts('en'))).toThrow(
      'Install it with the deb package',
    )
    expect(() => requireSandbox(started(true, 'no-sandbox'), hostTexts('es'))).toThrow(
      'Instálelo con el paquete deb',
    )
    expect(() => requireSandbox(started(true), hostTexts('en'))).not.toThrow()
  })

  it('may be missing where the app is built', () => {
    expect(() => requireSandbox(started(false, 'no-sandbox'), hostTexts('en'))).not.toThrow()
  })
})
