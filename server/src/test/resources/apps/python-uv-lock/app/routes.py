router = None
