import i18next from 'i18next'

/** `20 Nov` of `2026-11-20`, in the language of the screens. */
export function shortDayLabel(day: string): string {
  const locale = i18next.language === 'en' ? 'en-GB' : i18next.language
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    Date.parse(`${day}T00:00:00Z`),
  )
}
