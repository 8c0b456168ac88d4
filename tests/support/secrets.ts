// Random, but the same in every run: one of a million new ones contains a word that production refuses.
export const strongSecret = 'SMl2iyPwabc62-9zaq45iOy72yINZp4YdVaehAW1DycM6XqlImi73i1p7b_K8UtO';
export const strongToken = '111a081aaec8a4388592995a9a61b40ee260e4bab5153753';
