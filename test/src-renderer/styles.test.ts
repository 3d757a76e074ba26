import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const SCREENS = join(import.meta.dirname, '../../src-renderer')
const read = (path: string): string => readFileSync(join(SCREENS, path), 'utf8')

// In another order a button loses its colors to the sheet of what it is made of, and no other test notices.
it('begins the page with the sheets of the components, then ours', () => {
  const paths = [...read('main.tsx').matchAll(/^import [^']*'([^']+)'/gm)].map(([, path]) => path)
  expect(paths.slice(0, 3)).toEqual([
    '@mantine/core/styles.css',
    '@mantine/notifications/styles.css',
    './styles.css',
  ])
})

// A class that its sheet lacks is no error of types, and what it should show stays plain.
it('uses no class that its sheet lacks', () => {
  const missing = globSync('**/*.tsx', { cwd: SCREENS }).flatMap((path) => {
    const source = read(path)
    return [...source.matchAll(/^import (\w+) from '([^']+\.module\.css)'/gm)].flatMap(
      ([, name, sheet = '']) => {
        const rules = read(join(dirname(path), sheet))
        const used = [...source.matchAll(new RegExp(String.raw`\b${name}\.(\w+)\b(?!\.css)`, 'g'))]
        return used
          .filter(([, one]) => !new RegExp(String.raw`\.${one}\b`).test(rules))
          .map(([one]) => `${path}: ${one}`)
      },
    )
  })
  expect(missing).toEqual([])
})

it('has five sizes of text and the one of a logo, all on whole pixels', () => {
  const sizes = globSync('**/*.css', { cwd: SCREENS }).flatMap((path) =>
    [...read(path).matchAll(/(?:font-size:|font: \d+) ?([\d.]+)px/g)].map(([, size]) => size),
  )
  expect([...new Set(sizes)].toSorted((one, other) => Number(one) - Number(other))).toEqual([
    '12',
    '14',
    '16',
    '18',
    '22',
  ])
})

// Grounds and shadows are not painted then, so what is chosen needs an outline or a border of its own.
it.each(['queue/queue.module.css', 'desk/desk.module.css'])(
  '%s marks what is chosen in forced colours',
  (path) => {
    const [, forced = ''] = /@media \(forced-colors: active\) \{([\s\S]*?)\n\}/.exec(read(path)) ?? []
    expect(forced).toMatch(/\[aria-(?:pressed|current)='true'\][\s\S]*Highlight/)
  },
)

it('has no button below 28 pixels', () => {
  expect(read('styles.css')).toMatch(/--button-height-compact-sm: 28px/)
})
