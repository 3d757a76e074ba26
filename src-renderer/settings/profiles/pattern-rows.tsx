import { ActionIcon, Button, TextInput, Tooltip, UnstyledButton } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { PATTERN_PARTS } from '../../../src-shared/profile-pattern.ts'
import css from './profiles.module.css'
import type { PatternRow } from './profile-form.ts'
import { t } from '../../words/t.ts'

const MAX_PATTERNS = 20

export type PatternRowsProps = {
  readonly rows: readonly PatternRow[]
  /** What is wrong with a pattern, by the key of its row. */
  readonly problems: Readonly<Record<string, string>>
  readonly onWrite: (rows: readonly PatternRow[]) => void
}

/** The patterns in their order, each with what is wrong with it, and the parts that can be put in. */
export function PatternRows({ rows, problems, onWrite }: PatternRowsProps) {
  const inputs = useRef(new Map<string, HTMLInputElement>())
  const added = useRef(0)
  const [lastKey, setLastKey] = useState<string | null>(null)
  const write = (key: string, text: string): void =>
    onWrite(rows.map((row) => (row.key === key ? { key, text } : row)))
  const add = (): void => {
    added.current += 1
    onWrite([...rows, { key: `added-${added.current}`, text: '' }])
  }
  /** Into the pattern that was typed in last, where its cursor stands. */
  const insert = (partName: string): void => {
    const row = rows.find(({ key }) => key === lastKey) ?? rows.at(-1)
    if (!row) return
    const input = inputs.current.get(row.key)
    const [from, to] = [input?.selectionStart ?? row.text.length, input?.selectionEnd ?? row.text.length]
    write(row.key, `${row.text.slice(0, from)}{${partName}}${row.text.slice(to)}`)
    const cursor = from + partName.length + 2
    requestAnimationFrame(() => {
      input?.focus()
      input?.setSelectionRange(cursor, cursor)
    })
  }
  return (
    <div className={css.patterns} role="group" aria-label={t('settings:profiles.patterns')}>
      <div>
        <h3>{t('settings:profiles.patterns')}</h3>
        <p className={css.hint}>{t('settings:profiles.patternsHint')}</p>
      </div>
      {rows.map((row, index) => (
        <div key={row.key} className={css.pattern}>
          <TextInput
            ref={(input) => {
              if (input) inputs.current.set(row.key, input)
              else inputs.current.delete(row.key)
            }}
            aria-label={t('settings:profiles.pattern', { number: index + 1 })}
            placeholder="{historyNumber}_{eye}_{date}"
            autoComplete="off"
            spellCheck={false}
            maxLength={300}
            classNames={{ input: css.code ?? '' }}
            value={row.text}
            error={problems[row.key]}
            onFocus={() => setLastKey(row.key)}
            onChange={(event) => write(row.key, event.currentTarget.value)}
          />
          <Tooltip label={t('settings:profiles.removePattern', { number: index + 1 })}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t('settings:profiles.removePattern', { number: index + 1 })}
              onClick={() => onWrite(rows.filter(({ key }) => key !== row.key))}
            >
              <IconTrash size={17} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </div>
      ))}
      {rows.length > 0 && (
        <div className={css.parts} role="group" aria-label={t('settings:profiles.parts')}>
          {PATTERN_PARTS.map((part) => (
            <UnstyledButton
              key={part}
              className={css.part}
              aria-label={t('settings:profiles.part', { name: `{${part}}` })}
              onClick={() => insert(part)}
            >
              {`{${part}}`}
            </UnstyledButton>
          ))}
        </div>
      )}
      <div>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          disabled={rows.length >= MAX_PATTERNS}
          onClick={add}
        >
          {t('settings:profiles.addPattern')}
        </Button>
      </div>
    </div>
  )
}
