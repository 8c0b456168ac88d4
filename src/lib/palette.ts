/** The colors of projects by their numbers: the name, and the colors of a fill on light and on dark ground. */
export const palette = [
  ['cobalt', '#506ad4', '#6c76d2'],
  ['tangerine', '#ad5004', '#dd843a'],
  ['jade', '#015144', '#90bbb4'],
  ['tomato', '#df5a64', '#c65a52'],
  ['violet', '#9777c6', '#9c8fc4'],
  ['olive', '#4e4600', '#bbb379'],
  ['lagoon', '#169597', '#7de8f1'],
  ['sky', '#025d92', '#73bbf7'],
  ['berry', '#81256d', '#ae6393'],
  ['leaf', '#598447', '#b6e2b4'],
  ['honey', '#ab800d', '#f4d16d'],
  ['cocoa', '#7d5c56', '#ae8a85'],
] as const satisfies readonly (readonly [name: string, light: string, dark: string])[];
