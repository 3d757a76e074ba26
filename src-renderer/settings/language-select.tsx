import { NativeSelect } from '@mantine/core'
import { chooseLanguage, LANGUAGES, useLanguageChoice } from '../words/language.ts'
import { t } from '../words/t.ts'

const CHOICES = ['auto', ...LANGUAGES] as const

/** The language of this screen; it changes at once. */
export function LanguageSelect() {
  const choice = useLanguageChoice()
  return (
    <NativeSelect
      label={t('shell:language.label')}
      description={t('settings:general.languageHint')}
      value={choice}
      data={CHOICES.map((value) => ({ value, label: t(`shell:language.${value}`) }))}
      onChange={(event) => {
        const wanted = CHOICES.find((one) => one === event.currentTarget.value)
        if (wanted) void chooseLanguage(wanted, window)
      }}
    />
  )
}
