/** Planted violations of the rules of the house: what each refuses, and what it allows. */
import { describe, expect, it } from 'vitest'
import {
  crowdedFolders,
  englishLength,
  forbiddenUses,
  privateHelpers,
  tooLong,
  type ForbiddenTerm,
  type HouseFile,
} from '../../tools/house-rules.ts'

const file = (path: string, text = ''): HouseFile => ({ path, text })
const lines = (count: number): string => 'const a = 1\n'.repeat(count)
const paths = (findings: readonly { readonly path: string }[]): string[] => findings.map(({ path }) => path)

describe('the rules of the house', () => {
  it('refuse a source file over 400 lines', () => {
    const files = [
      file('src-a/a.ts', lines(401)),
      file('src-a/b.ts', lines(400)),
      file('test/c.ts', lines(900)),
    ]
    expect(paths(tooLong(files))).toEqual(['src-a/a.ts'])
  })

  it('refuse a folder of more than 30 files', () => {
    const full = Array.from({ length: 30 }, (_, index) => file(`src-a/full/f${index}.ts`))
    expect(crowdedFolders([...full, file('src-a/full/below/one.ts')])).toEqual([])
    expect(paths(crowdedFolders([...full, file('src-a/full/more.tsx')]))).toEqual(['src-a/full'])
  })

  const helper = file('src-a/p/h.ts', lines(60))
  it.each([
    ['that one neighbour imports', [helper, file('src-a/p/o.ts', "import './h.ts'")], ['src-a/p/h.ts']],
    [
      'with a test',
      [helper, file('src-a/p/o.ts', "import './h.ts'"), file('test/h.ts', "import '../src-a/p/h.ts'")],
      ['src-a/p/h.ts'],
    ],
    ['that is larger', [file('src-a/p/h.ts', lines(61)), file('src-a/p/o.ts', "import './h.ts'")], []],
    ['of another folder', [helper, file('src-a/q/o.ts', "import '../p/h.ts'")], []],
    [
      'of two',
      [helper, file('src-a/p/o.ts', "import './h.ts'"), file('src-a/p/r.ts', "import './h.ts'")],
      [],
    ],
    ['that is an entry', [file('src-a/p/a-worker.ts'), file('src-a/p/o.ts', "import './a-worker.ts'")], []],
  ])('find a small file %s', (_, files, expected) => {
    expect(paths(privateHelpers(files))).toEqual(expected)
  })
})

describe('forbidden words', () => {
  const terms: ForbiddenTerm[] = [
    {
      term: 'blab',
      forms: ['blab', 'blabbed'],
      in: ['names', 'comments', 'documents', 'texts'],
      use: 'emit',
    },
    { term: 'look', in: ['names'], use: 'lookup', exempt: { lookSeconds: 'a setting' } },
    { term: 'state', forms: ['state', 'states'], in: ['screens'], use: 'status' },
    { term: 'if it', in: ['texts'], use: 'when', exempt: { 'say if it fits': 'rows hold it' } },
  ]

  it.each([
    ['src-a/a.ts', 'const blabSoon = 1', ['blab:1']],
    ['src-a/a.ts', '\nfunction notBlabbed() {}', ['blab:2']],
    ['src-a/a.ts', 'const text = `a ${blab} b`', ['blab:1']],
    ['src-a/a.ts', 'const blabbering = lookSeconds', []],
    ['src-a/a.ts', '/**\n * It blabbed.\n */', ['blab:1']],
    ['src-a/a.ts', '// The column `blabbed_at` stays.', []],
    ['src-a/a.ts', "const message = 'It blabbed.'", ['blab:1']],
    ['src-a/a.ts', "const key = 'blabbed'", []],
    ['src-a/a.ts', "const message = 'say if it fits'", []],
    ['src-a/migrations/0001.ts', "const sql = 'It blabbed.'", []],
    ['src-a/texts/en/a.json', '{\n  "key": "It blabbed."', ['blab:2']],
    ['src-a/texts/en/a.json', '{\n  "state": "All {{states}} states",\n', ['state:2']],
    ['src-a/a.ts', "const message = 'the state of it'", []],
    ['docs/guide.md', 'First.\nIt blabbed.', ['blab:2']],
    ['src-a/blab-progress.ts', '', ['blab']],
    ['test/blabbed/by/a.ts', '', ['blab']],
  ])('are found: %s %j', (path, text, expected) => {
    const found = forbiddenUses([file(path, text)], terms)
    expect(
      found.map(({ term, finding: { line } }) => (line === undefined ? term : `${term}:${line}`)),
    ).toEqual(expected)
  })
})

it('the English texts are as long as their words, each parameter counted as one', () => {
  const texts = file(
    'src-a/texts/en/a.json',
    '{\n  "a": {\n    "b c": "Sent {{count}} cases",\n    "d": "–"\n  }\n}\n',
  )
  expect(englishLength([texts, file('docs/guide.md', '"a": "Not counted."')])).toBe(4)
})
