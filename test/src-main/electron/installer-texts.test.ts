/** The installer shows the texts of `host.json`, in both languages and no others. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import english from '../../../src-shared/texts/en/host.json' with { type: 'json' }
import spanish from '../../../src-shared/texts/es/host.json' with { type: 'json' }

const asset = (name: string): string =>
  readFileSync(new URL(`../../../assets/${name}`, import.meta.url), 'utf8')

/** The variables of the installer that hold the parameters. */
const VARIABLES: Readonly<Record<string, string>> = {
  folder: '$R6',
  reason: '$R3',
  aside: '$R4',
  operators: '$R7',
}

function definesOf(language: string, { reasons, ...texts }: typeof english.installer): string[] {
  const all = [
    ...Object.entries(texts),
    ...Object.entries(reasons).map(([name, text]) => [`reasons_${name}`, text] as const),
  ]
  const inNsis = (text: string): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => VARIABLES[name] ?? `no variable for ${name}`)
  return all.map(([name, text]) => `!define ${language}_${name} "${inNsis(text)}"`)
}

it('has each text in both languages', () => {
  const defines = asset('installer-texts.nsh')
    .split('\n')
    .filter((line) => line.startsWith('!define'))
  expect(defines).toEqual([...definesOf('EN', english.installer), ...definesOf('ES', spanish.installer)])
})

it('uses each text, and no text of its own', () => {
  const script = asset('installer.nsh')
  const used = [...script.matchAll(/!insertmacro (showText|setReason) (\w+)/g)].map(([, macro, name]) =>
    macro === 'setReason' ? `reasons.${name}` : name,
  )
  const { reasons, ...texts } = english.installer
  const names = [...Object.keys(texts), ...Object.keys(reasons).map((name) => `reasons.${name}`)]
  expect(new Set(used)).toEqual(new Set(names))
  expect(script).not.toContain('MessageBox')
  expect(script.match(/StrCpy \$R3 "[^"]+"/g)).toBeNull()
})
