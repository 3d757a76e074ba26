/** No screen has words that are in no language's table. */
import { expect, test } from 'vitest'
import { bareTextsOf } from './bare-text.ts'
import { sourceOf, sourcesIn } from './sources.ts'

/** What may stand bare, with the reason. */
const BARE: Readonly<Record<string, string>> = {
  'Fundus Courier': 'the name of the product',
  '{historyNumber}_{eye}_{date}': 'a pattern, written the same in every language',
}

test('no screen has bare words', () => {
  const bare = sourcesIn('src-renderer').flatMap(bareTextsOf)
  expect(bare.filter(({ text }) => !(text in BARE))).toEqual([])
})

test('bare words are found wherever a person would read them', () => {
  const code = `
    const a = <p title="One of them">Two words {isOn ? 'three' : t('x')} · {\`\${n} four\`} {n} <b aria-label={x ?? 'five'} className="no" /></p>
    tell({ tone: 'red', message: 'Six words' })`
  expect(bareTextsOf(sourceOf('a.tsx', code)).map(({ text }) => text)).toEqual([
    'One of them',
    'Two words',
    'three',
    'four',
    'five',
    'Six words',
  ])
})
