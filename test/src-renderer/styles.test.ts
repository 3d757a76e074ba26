import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const source = (name: string): string =>
  readFileSync(new URL(`../../src-renderer/${name}`, import.meta.url), 'utf8')
const importsOf = (code: string): string[] =>
  [...code.matchAll(/^import [^']*'([^']+)'/gm)].map(([, path = '']) => path)

// In another order a button loses its colors to the sheet of what it is made of, and no other test notices.
describe('the sheets of the components', () => {
  it('come before everything else on the page', () => {
    expect(importsOf(source('main.tsx'))[0]).toBe('./styles.ts')
  })

  it('stand in the order of what they are made of, and ours come last', () => {
    const sheets = importsOf(source('styles.ts'))
    const at = (name: string): number => sheets.indexOf(`@mantine/core/styles/${name}.css`)
    expect(at('baseline')).toBe(0)
    for (const [base, component] of [
      ['UnstyledButton', 'Button'],
      ['UnstyledButton', 'ActionIcon'],
      ['Popover', 'Menu'],
      ['ModalBase', 'Modal'],
      ['Input', 'PasswordInput'],
    ] as const)
      expect([base, at(base) >= 0 && at(base) < at(component)]).toEqual([base, true])
    expect(sheets.at(-1)).toBe('./styles.css')
  })
})
