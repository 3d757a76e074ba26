/** The diagnostics as one text that a person can read before giving it to anybody. */

export type Section = {
  readonly title: string
  /** One line each. */
  readonly lines: readonly string[]
}

export const OMISSIONS: readonly string[] = [
  'Values of patient fields, history numbers and ids of cases at the service.',
  'Names of files and folders: a mark such as #3fa2c1 stands for each, the same for the same name in this text only.',
  "Initials (person-1 stands for the first one) and reasons in a person's own words.",
  'What the service said in words, and everything it answered.',
  'Client id, client secret, tokens, and the name of this computer and its account.',
]

/** The lines of a value: one for each name, nested values as JSON behind it. */
export function formatLines(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none')}`,
  )
}

export function formatBundle(madeAt: string, sections: readonly Section[]): string {
  const parts = [
    `Fundus Courier diagnostics, ${madeAt}`,
    ['Left out of this text:', ...OMISSIONS.map((line) => `- ${line}`)].join('\n'),
    ...sections.map(({ title, lines }) =>
      [`== ${title} ==`, ...(lines.length > 0 ? lines : ['none'])].join('\n'),
    ),
  ]
  return `${parts.join('\n\n')}\n`
}
