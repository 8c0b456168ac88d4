/** The number of the colour that follows from an id, as in the service; the value of `data-hue`. */
export const hueOf = (id: number): number => ((id - 1) % 12) + 1;
