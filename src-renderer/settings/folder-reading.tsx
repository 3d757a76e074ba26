/** How the files of one folder are read: what a person knows of its camera and no file states. */
import { Loader, Stack } from '@mantine/core'
import { useState } from 'react'
import { type FolderReading, folderReadingSchema } from '../../src-shared/folder-settings.ts'
import { SmallButton } from '../components/controls.tsx'
import { messageOf, t } from '../i18n/i18n.ts'
import { DryRunResult, useDryRun } from './dry-run.tsx'
import { type ColumnRow, columnRowsOf, ColumnsInput, DATE_ORDERS, readColumnRows } from './patient-list.tsx'
import { ChoiceSelect, CodeInput } from './settings-form.tsx'
import css from './settings-screen.module.css'

type TermsName = 'rightWords' | 'leftWords' | 'leaveAlone'

/** Terms with commas between, headings as rows. */
export type ReadingForm = Pick<FolderReading, 'dateOrder' | 'nameOrder'> &
  Readonly<Record<TermsName, string>> & { readonly columns: readonly ColumnRow[] }

export function readingFormOf({
  leaveAlone,
  eyeWords,
  columns,
  dateOrder,
  nameOrder,
}: FolderReading): ReadingForm {
  return {
    dateOrder,
    nameOrder,
    rightWords: eyeWords.right.join(', '),
    leftWords: eyeWords.left.join(', '),
    leaveAlone: leaveAlone.join(', '),
    columns: columnRowsOf(columns),
  }
}

function splitTerms(text: string): string[] {
  return text
    .split(',')
    .map((term) => term.trim())
    .filter((term) => term !== '')
}

type ReadReading = {
  readonly reading: FolderReading | null
  readonly problems: Partial<Record<TermsName, string>>
}

/** What is in a form, or null and what is wrong with it. */
export function readReadingForm(form: ReadingForm): ReadReading {
  const columns = readColumnRows(form.columns)
  const read = folderReadingSchema.safeParse({
    dateOrder: form.dateOrder,
    nameOrder: form.nameOrder,
    eyeWords: { right: splitTerms(form.rightWords), left: splitTerms(form.leftWords) },
    leaveAlone: splitTerms(form.leaveAlone),
    columns: columns ?? {},
  })
  const wrong = (read.error?.issues ?? []).map(({ path }) => path.slice(0, 2).join('.'))
  const isAt = (path: string): boolean => wrong.some((one) => one === path || one.startsWith(`${path}.`))
  const problems = {
    ...(wrong.includes('eyeWords') && { leftWords: t('settings:reading.sameWord') }),
    ...(isAt('eyeWords.right') && { rightWords: t('settings:reading.wordsWrong') }),
    ...(isAt('eyeWords.left') && { leftWords: t('settings:reading.wordsWrong') }),
    ...(isAt('leaveAlone') && { leaveAlone: t('settings:reading.wordsWrong') }),
  }
  return { reading: read.success && columns !== null ? read.data : null, problems }
}

type FolderReadingFieldsProps = {
  readonly form: ReadingForm
  /** Missing values are marked only after an attempt to save. */
  readonly isChecked: boolean
  readonly onWrite: (change: Partial<ReadingForm>) => void
}

export function FolderReadingFields({ form, isChecked, onWrite }: FolderReadingFieldsProps) {
  const { problems } = readReadingForm(form)
  const termsInput = (name: TermsName, description: string) => (
    <CodeInput
      label={t(`settings:reading.${name}`)}
      description={description}
      value={form[name]}
      error={problems[name]}
      onWrite={(text) => onWrite({ [name]: text })}
    />
  )
  return (
    <>
      <div className={css.pair}>
        <ChoiceSelect
          label={t('settings:reading.dateOrder')}
          choices={DATE_ORDERS}
          value={form.dateOrder}
          labelOf={(value) => t(`settings:reading.dateOrders.${value}`)}
          onChoose={(dateOrder) => onWrite({ dateOrder })}
        />
        <ChoiceSelect
          label={t('settings:reading.nameOrder')}
          choices={['lastFirst', 'firstLast']}
          value={form.nameOrder}
          labelOf={(value) => t(`settings:reading.nameOrders.${value}`)}
          onChoose={(nameOrder) => onWrite({ nameOrder })}
        />
        {termsInput('rightWords', t('settings:reading.wordsHint'))}
        {termsInput('leftWords', t('settings:reading.wordsHint'))}
      </div>
      {termsInput('leaveAlone', t('settings:reading.leaveAloneHint'))}
      <ColumnsInput rows={form.columns} isChecked={isChecked} onWrite={(columns) => onWrite({ columns })} />
    </>
  )
}

type FolderPreviewProps = {
  readonly path: string
  readonly form: ReadingForm
  readonly visitGapMinutes: number | null
}

/** What would become of the files of a folder as the form is now; nothing is read before a person asks. */
export function FolderPreview({ path, form, visitGapMinutes }: FolderPreviewProps) {
  const [isOpen, setOpen] = useState(false)
  const { reading } = readReadingForm(form)
  const canTry = isOpen && path !== '' && reading !== null
  const dryRun = useDryRun(canTry ? { path, reading, visitGapMinutes } : null)
  return (
    <Stack gap={8} className={css.group ?? ''}>
      <div>
        <SmallButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('settings:trial.title')}
        </SmallButton>
        {dryRun.isReading && <Loader size={15} ml={10} aria-label={t('shell:reading')} />}
      </div>
      {isOpen && dryRun.failure && <p className={css.trouble}>{messageOf(dryRun.failure)}</p>}
      {isOpen && !dryRun.failure && dryRun.value && (
        <DryRunResult dryRun={dryRun.value} isOld={dryRun.isReading || !canTry} />
      )}
    </Stack>
  )
}
