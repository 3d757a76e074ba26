/** Every text that the screens, the host and the station use is there with its parameters, and none is unused. */
import { expect, test } from 'vitest'
import { english } from '../../../src-shared/texts/english.ts'
import { askedOf, askedTooEarly, matcherOf, namedIn } from './asked.ts'
import { askedName, ENGLISH, isPlural, parametersOf } from './text-tables.ts'
import { sourceOf, sourcesIn } from './sources.ts'

const SCREENS = sourcesIn('src-renderer')
const HOST = sourcesIn('src-main/electron')
const STATION = sourcesIn('src-main/station', 'src-shared')
const ASKED = [
  ...SCREENS.flatMap((one) => askedOf(one, 'shell')),
  ...HOST.flatMap((one) => askedOf(one, 'host')),
  // Names of the station say their file.
  ...STATION.flatMap((one) => askedOf(one, 'shell')),
]
const NAMES = [...new Set([...ENGLISH.keys()].map(askedName))]

test('every text that is used is there', () => {
  expect(ASKED.length).toBeGreaterThan(400)
  expect(ASKED.filter(({ name }) => !NAMES.some(matcherOf([name])))).toEqual([])
})

test('no text is unused', () => {
  const files = Object.keys(english)
  const named = [
    ...new Set([
      ...ASKED.map(({ name }) => name),
      ...[...SCREENS, ...STATION].flatMap((one) => namedIn(one, files)),
    ]),
  ]
  const isNamed = matcherOf(named)
  // The installer's are compared with assets/installer-texts.nsh by a test of their own.
  const others = NAMES.filter((name) => !name.startsWith('host:installer.'))
  expect(others.filter((name) => !isNamed(name))).toEqual([])
})

/** The parameters that the forms of a text need, and those that they may have. */
function needsOf(name: string): { readonly needed: readonly string[]; readonly allowed: readonly string[] } {
  const forms = [...ENGLISH].filter(([key]) => askedName(key) === name)
  const allowed = [...new Set(forms.flatMap(([, text]) => parametersOf(text)))]
  const counted = forms.some(([key]) => isPlural(key)) ? ['count'] : []
  return { needed: [...new Set([...allowed, ...counted])], allowed: [...allowed, ...counted] }
}

const NEEDS = new Map(NAMES.map((name) => [name, needsOf(name)]))
const NOTHING = { needed: [], allowed: [] }

test('every text is given its parameters, and no others', () => {
  const wrong = ASKED.flatMap(({ where, name, parameters }) => {
    if (parameters === null) return []
    const needs = NAMES.filter(matcherOf([name])).map((one) => NEEDS.get(one) ?? NOTHING)
    const [first, ...others] = needs
    // Of several texts that a name may come to, only what all of them need is sure to be missing.
    const missing = (first?.needed ?? []).filter(
      (one) => !parameters.includes(one) && others.every(({ needed }) => needed.includes(one)),
    )
    const needless = parameters.filter((one) => !needs.some(({ allowed }) => allowed.includes(one)))
    return missing.length + needless.length === 0 ? [] : [{ where, name, missing, needless }]
  })
  expect(wrong).toEqual([])
})

test('no words are asked for while a module is loaded', () => {
  expect([...SCREENS, ...HOST].flatMap(askedTooEarly)).toEqual([])
  const code = "const a = t('queue:title')\nconst b = () => t('queue:title')\nconst c = { d: messageOf(x) }"
  expect(askedTooEarly(sourceOf('a.ts', code))).toEqual(['a.ts:1', 'a.ts:3'])
})

test('a name, a name with parts, a choice of names and their parameters are read', () => {
  const code = `
    t('queue:title'); t(\`state:\${state}.name\`); t('close')
    t(isAll ? 'queue:shown' : 'queue:partly', { count: 2, ...more }); t('queue:select', { who }); texts().t('quit')`
  expect(askedOf(sourceOf('a.ts', code), 'shell').map(({ name, parameters }) => [name, parameters])).toEqual([
    ['queue:title', []],
    ['state:*.name', []],
    ['shell:close', []],
    ['queue:shown', null],
    ['queue:partly', null],
    ['queue:select', ['who']],
    ['shell:quit', []],
  ])
})
