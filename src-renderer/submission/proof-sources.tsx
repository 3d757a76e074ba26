/** What the sources of a case state, in plain words. */
import { Group, Stack, VisuallyHidden } from '@mantine/core'
import { type Icon, IconAlertTriangle, IconCircleCheck, IconEye, IconQuestionMark } from '@tabler/icons-react'
import i18next from 'i18next'
import type { ReactNode } from 'react'
import { isCalendarDate } from '../../src-shared/fields.ts'
import { EYES } from '../../src-shared/measurement-ranges.ts'
import type { ShownStatement } from '../../src-shared/proof.ts'
import type { Texts } from '../../src-shared/texts/english.ts'
import type { Standing } from '../../src-shared/verdict.ts'
import { formatCalendarDay, formatInstant } from '../format/dates.ts'
import { joinTexts, t } from '../i18n/i18n.ts'
import { type Names, useNames } from '../privacy/names.tsx'
import css from './check.module.css'

const SIGNS: Readonly<
  Record<Exclude<Standing['kind'], 'proven'>, { readonly icon: Icon; readonly tone: string }>
> = {
  proposed: { icon: IconEye, tone: 'amber' },
  disputed: { icon: IconAlertTriangle, tone: 'amber' },
  unknown: { icon: IconQuestionMark, tone: 'grey' },
}

/** Sign, outline and word say the same, so that colour is never alone. */
export function StandingMark({ kind, why = null }: Pick<Standing, 'kind'> & Partial<Pick<Standing, 'why'>>) {
  if (kind === 'proven')
    return (
      <Group component="span" gap={0} title={t('proof:meaning.proven')}>
        <IconCircleCheck size={17} stroke={2.2} color="var(--green)" aria-hidden />
        <VisuallyHidden>{t('proof:standing.proven')}</VisuallyHidden>
      </Group>
    )
  const { icon: Sign, tone } = SIGNS[kind]
  return (
    <span className={css.mark} data-kind={kind} data-tone={tone} title={t(`proof:meaning.${kind}`)}>
      <Sign size={14} stroke={2.2} aria-hidden />
      {t(`proof:standing.${kind === 'proposed' && why === 'readFromNames' ? why : kind}`)}
    </span>
  )
}

/** Why something is no proof, in a sentence; null for a code of another version. */
export function whyText(why: string | null, about: string | null, names: Names): string | null {
  if (why === null || !isCode(why)) return null
  const quoting = `${why}About`
  return about !== null && isCode(quoting)
    ? t(`proof:why.${quoting}`, { about: names.fileName(about) })
    : t(`proof:why.${why}`)
}

function isCode(code: string): code is keyof Texts['proof']['why'] {
  return i18next.exists(`proof:why.${code}`)
}

/** What a statement says, as a person reads it: an eye, a day, or a name with its birth date. */
export function valueText(value: string, names: Names): string {
  const eye = EYES.find((one) => one === value)
  if (eye !== undefined) return t(`proof:eye.${eye}`)
  if (isCalendarDate(value)) return formatCalendarDay(value)
  // A birth beside a sex, or a name.
  return names.fileName(value).replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, formatCalendarDay)
}

/** `the file name`, or `a person at this station (AB · 9:41)`. */
function sourceText({ source, attribute, by = null, at = null }: ShownStatement): string {
  const name = attribute === undefined ? t(`proof:source.${source}`) : t(`intake:attribute.${attribute}`)
  if (at === null) return name
  return `${name} (${joinTexts(by, formatInstant(at))})`
}

/** `The file name says left (OS)`, or `The file name` if it says what is shown anyway; the start of a sentence. */
function saysText(statement: ShownStatement, shown: string | null, names: Names): string {
  const { value } = statement
  const name = sourceText(statement)
  const says = valueText(value, names)
  const text = value === '' || says === shown ? name : t('intake:stated', { source: name, value: says })
  return capitalized(text)
}

export function capitalized(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1)
}

type StatementsProps = {
  readonly statements: readonly ShownStatement[]
  /** The value that is shown beside them, which need not be repeated. */
  readonly shown?: string | null
  /** Behind a statement: the button that chooses it. */
  readonly renderChoice?: (value: string) => ReactNode
}

/** What each source says, once, with the path in which it was read. */
export function Statements({ statements, shown = null, renderChoice }: StatementsProps) {
  const names = useNames()
  const bySource = [
    ...Map.groupBy(statements, ({ source, value, by, at }) => [source, value, by, at].join('\n')).values(),
  ]
  return (
    <Stack component="ul" role="list" gap={4}>
      {bySource.map((alike) => {
        const [first] = alike
        if (first === undefined) return null
        const paths = [...new Set(alike.map(({ where }) => where).filter(Boolean))].map(names.fileName)
        return (
          <Group
            key={[first.source, first.value, first.by, first.at].join(' ')}
            component="li"
            gap={12}
            wrap="nowrap"
            justify="space-between"
          >
            <span className={css.says}>
              {saysText(first, shown, names)}{' '}
              {paths.length > 0 && (
                <span className="small dim" title={paths.join('\n')}>
                  {paths[0]}
                  {paths.length > 1 && ` ${t('shell:andMore', { count: paths.length - 1 })}`}
                </span>
              )}
            </span>
            {renderChoice?.(first.value)}
          </Group>
        )
      })}
    </Stack>
  )
}
