/** The languages that the host itself speaks: the tray, notices and dialogs. The same as those of the screens. */
const HOST_LANGUAGES = ['en', 'es'] as const
export type HostLanguage = (typeof HOST_LANGUAGES)[number]

/** Is it a language that the host speaks? */
export function isHostLanguage(text: unknown): text is HostLanguage {
  return (HOST_LANGUAGES as readonly unknown[]).includes(text)
}

/**
 * The language for what was asked for, the first wish first: tags such as `es-MX`, as systems and `--lang` write them.
 * English where the host speaks none of them.
 */
export function hostLanguageFor(wanted: readonly string[]): HostLanguage {
  for (const tag of wanted) {
    const [base = ''] = tag.toLowerCase().split(/[-_]/)
    if (isHostLanguage(base)) return base
  }
  return 'en'
}
